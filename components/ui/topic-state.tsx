import dynamic from 'next/dynamic';
import type { ReactNode } from 'react';
import { loadPart } from '@/components/ui/load-part';
import type { TopicView } from '@/lib/live/view';
import { LinkButton } from './button';
import { EmptyState } from './empty-state';
import { Notice } from './notice';
import { SkeletonRows } from './skeleton';

const Grant = dynamic(() => loadPart(() => import('./grant')).then((module) => module.Grant));

/**
 * Shown instead of a list that is not ready: a skeleton, or why the list cannot be read. Null when it is ready. Every live view uses
 * it, so that loading, forbidden, missing and failed lists look the same.
 */
export function TopicState({
  view,
  what,
  skeleton,
}: {
  view: Pick<TopicView, 'status' | 'message'>;
  /** The plural noun of the list: `instances`. */
  what: string;
  skeleton?: ReactNode;
}) {
  switch (view.status) {
    case 'ready':
      return null;
    case 'loading':
      return skeleton ?? <SkeletonRows />;
    case 'forbidden':
      return (
        <EmptyState title={`You may not read ${what}`}>
          <p>{view.message}</p>
          <Grant message={view.message ?? ''} />
        </EmptyState>
      );
    case 'missing':
      return (
        <EmptyState
          title={`This cluster does not serve ${what}`}
          action={<LinkButton href="/resources">All kinds</LinkButton>}
        >
          <p>{view.message}</p>
        </EmptyState>
      );
    case 'failed':
      return (
        <div className="p-4">
          <Notice tone="fail" title={`The list of ${what} cannot be read`}>
            {view.message} Bravo retries automatically.
          </Notice>
        </div>
      );
  }
}
