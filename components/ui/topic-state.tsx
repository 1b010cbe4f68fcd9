import type { ReactNode } from 'react';
import { roleForRefusal } from '@/lib/kube/role-for-refusal';
import type { TopicView } from '@/lib/live/view';
import { LinkButton } from './button';
import { EmptyState } from './empty-state';
import { Notice } from './notice';
import { RoleToAskFor } from './role-to-ask-for';
import { SkeletonRows } from './skeleton';

/**
 * What stands in the place of a list that is not there: its skeleton, or why it cannot be read. Nothing when it is ready.
 * Every live view begins with it, so that loading, forbidden, missing and failed look the same everywhere.
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
          <Grant role={roleForRefusal(view.message ?? '')} />
        </EmptyState>
      );
    case 'missing':
      return (
        <EmptyState
          title={`This cluster has no kind ${what}`}
          action={<LinkButton href="/resources">All kinds</LinkButton>}
        >
          <p>{view.message}</p>
        </EmptyState>
      );
    case 'failed':
      return (
        <div className="p-4">
          <Notice tone="fail" title={`The list of ${what} cannot be read now`}>
            {view.message} Bravo tries again by itself.
          </Notice>
        </div>
      );
  }
}

/** What to ask for: the Role that would do, to copy into a message to whoever may grant it. */
function Grant({ role }: { role: string | undefined }) {
  if (role === undefined)
    return <p className="mt-1">Ask whoever runs this cluster for the verbs list and watch on them.</p>;
  return <RoleToAskFor role={role} />;
}
