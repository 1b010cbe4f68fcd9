import { formatTime } from '@/lib/clock/clock';
import { BravoError, messageOf, TransientError } from '@/lib/errors/errors';
import { namespaceOf } from '@/lib/kube/object';
import { PLAN_APPROVALS, type PlanApproval } from '@/lib/kudo/approvals/plan-approval';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import type { Scheduled } from '@/lib/kudo/plan/scheduled';
import type { Instance } from '@/lib/kudo/types';
import type { ReconcilerDeps } from './reconciler-deps';

/**
 * Marks the PlanApproval of an execution as used, before its first task: from then on no other start passes with it. Until then the record of the
 * execution names it. Safe to be repeated. Gives why the plan has to wait, in one sentence; undefined when it may go on.
 *
 * @throws TransientError when the API does not answer
 */
export async function markApproval(
  deps: ReconcilerDeps,
  instance: Instance,
  { plan, uid }: Scheduled,
): Promise<string | undefined> {
  const record = actedUpon(instance);
  const name = record?.uid === uid ? record.origin?.approval : undefined;
  if (name === undefined) return undefined;
  const target = { ...PLAN_APPROVALS, namespace: namespaceOf(instance), name };
  try {
    const approval = (await deps.api.get(target)) as PlanApproval | undefined;
    if (approval === undefined || (approval.status?.usedBy ?? '') !== '') return undefined;
    // Left on the Instance by somebody, and found by the start of a plan that needs none.
    if (approval.spec?.plan !== plan) return undefined;
    const { resourceVersion = '' } = approval.metadata;
    const status = { usedBy: uid, usedAt: formatTime(deps.clock.now()) };
    await deps.api.patch(target, 'merge', { metadata: { resourceVersion }, status }, { subresource: 'status' });
    const { requestedBy = 'nobody known' } = approval.spec ?? {};
    const message = `Plan ${plan} started with PlanApproval ${name}: asked for by ${requestedBy}, approved by ${approval.status?.approvedBy ?? ''}.`;
    deps.events.recordOnce(instance, `${uid} approval`, { type: 'Normal', reason: 'PlanApproved', message });
    return undefined;
  } catch (error) {
    if (!(error instanceof BravoError) || error instanceof TransientError) throw error;
    return `PlanApproval ${name} cannot be marked as used (${messageOf(error)}); the plan waits for it.`;
  }
}
