'use client';

import { Link } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { guideTitle } from '@/lib/guide/pages';
import { GuideText } from './guide-text';

/** One page of the guide. */
export function GuidePage({ page }: { page: string }) {
  return (
    <>
      <PageHeader title={guideTitle(page)} crumbs={[{ label: 'Help', href: '/help' }, { label: guideTitle(page) }]} />
      <article className="card px-5 py-4" aria-label={guideTitle(page)}>
        <GuideText
          place={{ page }}
          linkTo={(place, text) => (
            <Link className="link text-accent underline" href={`/help/${place.page}`}>
              {text}
            </Link>
          )}
        />
      </article>
    </>
  );
}
