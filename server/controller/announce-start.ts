import { CLEANUP_PLAN } from '@/lib/kudo/names';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import { extraConditionOf } from '@/lib/kudo/plan/conditions';
import { deadlineProblems } from '@/lib/kudo/plan/deadlines';
import type { Scheduled } from '@/lib/kudo/plan/scheduled';
import { beginningOf } from '@/lib/kudo/runs/new-run';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { keyOf } from './instance-store';
import type { ReconcilerDeps } from './reconciler-deps';

/** Publishes that an execution begins: what it takes the place of, what is wrong with its deadlines, the lock that it breaks, and what the person said of it. */
export function announceStart(
  deps: ReconcilerDeps,
  instance: Instance,
  { plan, uid }: Scheduled,
  about: { operatorVersion: OperatorVersion; replaced: readonly string[] },
): void {
  sayReplaced(deps, instance, plan, about.replaced);
  for (const problem of deadlineProblems(instance, about.operatorVersion)) {
    deps.events.record(instance, 'Warning', 'InvalidDeadline', problem);
  }
  const record = actedUpon(instance);
  const broken = record?.uid === uid ? record.origin?.brokenLock : undefined;
  if (broken !== undefined) {
    const who = record?.origin?.by === undefined ? '' : ` (by ${record.origin.by})`;
    const message = `${broken}${who}`;
    deps.events.recordOnce(instance, `${uid} lock`, { type: 'Warning', reason: 'LockBroken', message });
  }
  announceWishes(deps, instance, { plan, uid });
  deps.events.record(instance, 'Normal', 'PlanStarted', `Execution of plan ${plan} started`);
  deps.log.info('plan.started', { instance: keyOf(instance), plan, uid });
}

/** What the person said of the run before it began. */
function announceWishes(deps: ReconcilerDeps, instance: Instance, { plan, uid }: Scheduled): void {
  // A broken lock and an approval have events of their own.
  for (const { event = '', by, message: said = '' } of beginningOf(instance, { plan, uid }).steering ?? []) {
    if (event !== 'Retried' && event !== 'StopAfter') continue;
    const message = `Plan ${plan}${by === undefined ? '' : ` by ${by}`}: ${said}`;
    deps.events.recordOnce(instance, `${uid} ${event}`, { type: 'Normal', reason: `Run${event}`, message });
  }
}

/** The deletion of an Instance ends what runs, and is no news; an edit or a trigger that does is. */
function sayReplaced(deps: ReconcilerDeps, instance: Instance, by: string, plans: readonly string[]): void {
  if (by === CLEANUP_PLAN) return;
  const why = extraConditionOf(instance, 'Stalled')?.message ?? '';
  for (const plan of plans) {
    const message = `Plan ${by} takes the place of plan ${plan}. ${why}`.trim();
    deps.events.record(instance, 'Warning', 'PlanSuperseded', message);
  }
}
