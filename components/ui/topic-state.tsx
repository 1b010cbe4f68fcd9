import type { ReactNode } from 'react';
import { roleForRefusal } from '@/lib/kube/role-for-refusal';
import type { TopicView } from '@/lib/live/view';
import { LinkButton } from './button';
import { EmptyState } from './empty-state';
import { Notice } from './notice';
import { RoleToAskFor } from './role-to-ask-for';
import { SkeletonRows } from './skeleton';

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
          <Grant role={roleForRefusal(view.message ?? '')} />
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

/** The Role to ask for, or the verbs when the Role is unknown. */
function Grant({ role }: { role: string | undefined }) {
  if (role === undefined) return <p className="mt-1">Ask a cluster administrator for the verbs list and watch.</p>;
  return <RoleToAskFor role={role} />;
}
