'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Link } from '@/components/ui/link';
import { ScrollBox } from '@/components/ui/scroll-box';
import { ViewTabs } from '@/components/ui/view-tabs';
import { guideTitle } from '@/lib/guide/pages';
import { type GuidePlace, guidePlaceOf } from '@/lib/guide/place';
import { GuideText } from './guide-text';
import { ShortcutList } from './shortcuts';

/** What the guide says about a page, with its links, and the shortcuts. */
export function HelpContent({
  path,
  labelledBy,
  onLeave,
}: {
  /** Of the page of the console. */
  path: string;
  labelledBy: string;
  /** The page changes to the one with all of the guide. */
  onLeave: () => void;
}) {
  const [view, setView] = useState('page');
  const [way, setWay] = useState<readonly GuidePlace[]>([]);
  const place = way.at(-1) ?? guidePlaceOf(path);
  const goTo = (next: GuidePlace) => setWay([...way, next]);
  return (
    <ViewTabs
      label="Help"
      tabs={[
        { key: 'page', label: 'This page' },
        { key: 'keys', label: 'Keyboard shortcuts' },
      ]}
      chosen={view}
      onChoose={setView}
    >
      <ScrollBox labelledBy={labelledBy} className="max-h-[calc(100dvh-150px)] overflow-y-auto px-4 py-3">
        {view === 'keys' ? (
          <ShortcutList />
        ) : (
          <div className="grid gap-3">
            <p className="flex flex-wrap items-center gap-2 text-ink-2 text-xs">
              Guide: {guideTitle(place.page)}
              {place.section !== undefined && (
                <Button size="small" variant="quiet" onClick={() => goTo({ page: place.page })}>
                  Whole page
                </Button>
              )}
              {way.length > 0 && (
                <Button size="small" variant="quiet" onClick={() => setWay(way.slice(0, -1))}>
                  Back
                </Button>
              )}
            </p>
            <GuideText
              place={place}
              linkTo={(next, text) => (
                <button type="button" className="link text-accent underline" onClick={() => goTo(next)}>
                  {text}
                </button>
              )}
            />
          </div>
        )}
        <p className="mt-4 border-t pt-3">
          <Link href="/help" onClick={onLeave} className="link text-accent underline">
            Help and glossary
          </Link>
        </p>
      </ScrollBox>
    </ViewTabs>
  );
}
