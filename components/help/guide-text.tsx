'use client';

import type { ReactNode } from 'react';
import { MarkdownText } from '@/components/operators/documentation';
import { Notice } from '@/components/ui/notice';
import { SkeletonRows } from '@/components/ui/skeleton';
import { messageOf } from '@/lib/errors/errors';
import { type GuidePlace, guideBody, guidePlaceOfLink, guideSection } from '@/lib/guide/place';
import { useGuide } from './use-guide';

/** What the guide says at a place; a section that does not exist is the whole page. @param linkTo shows a link to another place */
export function GuideText({
  place: { page, section },
  linkTo,
}: {
  place: GuidePlace;
  linkTo: (place: GuidePlace, text: string) => ReactNode;
}) {
  const { data, error } = useGuide(page);
  if (error !== null) {
    return (
      <Notice tone="fail" title="The guide cannot be read">
        {messageOf(error)}
      </Notice>
    );
  }
  if (data === undefined) return <SkeletonRows rows={8} />;
  const part = section === undefined ? undefined : guideSection(data.text, section);
  const text = part ?? guideBody(data.text);
  return (
    <MarkdownText
      text={text}
      reference={(href, words) => {
        const target = guidePlaceOfLink(href, page);
        return target === undefined ? words : linkTo(target, words);
      }}
    />
  );
}
