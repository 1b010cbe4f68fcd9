import { parseTime } from '@/lib/clock/clock';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import { hasEnded, type Scheduled } from '@/lib/kudo/plan/scheduled';
import type { Instance, PlanStatus } from '@/lib/kudo/types';
import { ENDED_BY_HAND } from './inventory-write';
import type { ReconcilerDeps } from './reconciler-deps';

/** What the event of a plan that failed says. */
export interface PlanFailure {
  readonly reason: string;
  readonly message: string;
}

/** Publishes how an execution ended. Published again, by this process or the next one, it is the same event. */
export function announceEnd(
  deps: ReconcilerDeps,
  instance: Instance,
  scheduled: Scheduled,
  failure: PlanFailure | undefined,
): void {
  const { status = '', lastUpdatedTimestamp = '' } = instance.status?.planStatus?.[scheduled.plan] ?? {};
  const identity = [instance.metadata.uid ?? '', scheduled.plan, scheduled.uid, lastUpdatedTimestamp].join('\n');
  const message = `Execution of plan ${scheduled.plan} finished with status ${status}`;
  if (failure === undefined) {
    deps.events.recordOnce(instance, identity, { type: 'Normal', reason: 'PlanFinished', message });
  } else deps.events.recordOnce(instance, identity, { type: 'Warning', ...failure });
}

/**
 * Publishes how an execution ended when another process ran it and died before it could. Must be called before this process creates
 * a memory of that run, while the last write of the run is still due.
 *
 * Only the process that saw a failure knows its reason; the event has the reason of the condition `Ready` instead.
 */
export function announceLate(deps: ReconcilerDeps, instance: Instance, scheduled: Scheduled): void {
  const isOwn = deps.runs.get(instance.metadata.uid ?? '')?.uid === scheduled.uid;
  const ended = instance.status?.planStatus?.[scheduled.plan];
  if (isOwn || ended === undefined || !hasEnded(instance, scheduled) || ended.message === ENDED_BY_HAND) return;
  const failure = { reason: 'PlanInFatalError', message: whyItFailed(scheduled.plan, ended) };
  announceEnd(deps, instance, scheduled, ended.status === 'FATAL_ERROR' ? failure : undefined);
}

/** Within this time a killed controller runs again, or another one holds its lease. */
const RECENT_MS = 5 * 60_000;

/**
 * Publishes once more how the last execution of an idle Instance ended, when that was recently and another process ran it: that
 * process may have died between the last write and the event. If the event exists, the API server refuses the second one. KUDO
 * announced the executions that it ran.
 */
export function announceRecent(deps: ReconcilerDeps, instance: Instance): void {
  const id = instance.metadata.uid ?? '';
  if (deps.announced.has(id)) return;
  deps.announced.add(id);
  const { plan, uid } = actedUpon(instance) ?? {};
  if (plan === undefined || uid === undefined || deps.runs.has(id) || deps.forgotten.has(id)) return;
  const endedMs = parseTime(instance.status?.planStatus?.[plan]?.lastUpdatedTimestamp);
  if (endedMs === undefined || Math.abs(deps.clock.now() - endedMs) > RECENT_MS) return;
  announceLate(deps, instance, { plan, uid });
}

function whyItFailed(plan: string, { message = '', phases }: PlanStatus): string {
  const inside = (phases ?? []).flatMap((phase) => [phase.message, ...(phase.steps ?? []).map((step) => step.message)]);
  const known = [message, ...inside].find((text) => text !== undefined && text !== '');
  return known ?? `Plan ${plan} ended in a fatal error.`;
}
