'use client';

import { useMemo } from 'react';
import { ApprovalList } from '@/components/access/approval-list';
import { useNamespaceScope } from '@/components/shell/preferences';
import { useTopicInScope } from '@/components/shell/use-topic-within';
import { approvalState, newestFirst, type PlanApproval } from '@/lib/kudo/approvals/plan-approval';
import { topics } from '@/lib/live/topic';

/** Requests of the chosen scope that wait for a second person, of all Instances; nothing without any. */
export function WaitingApprovals() {
  const { objects } = useTopicInScope(topics.planApprovals);
  const scope = useNamespaceScope();
  const waiting = useMemo(() => {
    const here = (objects as readonly PlanApproval[]).filter(
      (one) => approvalState(one) === 'waiting' && (scope === undefined || one.metadata.namespace === scope),
    );
    return here.sort(newestFirst);
  }, [objects, scope]);
  if (waiting.length === 0) return null;
  return (
    <section aria-label="Approvals" className="card mb-4 overflow-clip">
      <h2 className="border-b px-4 py-2 font-semibold">Waiting for a second person</h2>
      <ApprovalList approvals={waiting} withInstance />
    </section>
  );
}
