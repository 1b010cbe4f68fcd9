import { type Clock, sleep } from '@/lib/clock/clock';
import { TerminalError, TransientError } from '@/lib/errors/errors';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { hasUnseenChange } from '@/lib/kudo/plan/acted-upon';
import { latestPlan } from '@/lib/kudo/plan/latest-plan';
import { readyConditionOf } from '@/lib/kudo/plan/readiness';
import { scheduledStatus } from '@/lib/kudo/plan/scheduled-status';
import { failedRun } from '@/lib/kudo/queue/queued-start';
import { runQueueOf } from '@/lib/kudo/queue/run-queue';
import type { Instance, PlanStatus } from '@/lib/kudo/types';
import type { Api } from '@/server/kube/api';

export interface AwaitPlanOptions {
  readonly namespace: string;
  readonly instance: string;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Uids of earlier executions: the plan to wait for is a new one. Undefined: the last one. */
  readonly before?: ReadonlySet<string> | undefined;
  readonly onChange?: ((instance: Instance) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

const ASK_EVERY_MS = 500;

/**
 * Waits until the running plan, or the last one, is COMPLETE.
 *
 * @returns the Instance as it is then
 * @throws TerminalError when the plan ends in FATAL_ERROR (KUDO waited for ever), TransientError at the timeout
 */
export async function awaitPlan(api: Api, options: AwaitPlanOptions): Promise<Instance> {
  const { namespace, instance: name, clock, before = new Set<string>(), signal } = options;
  const end = clock.monotonic() + options.timeoutMs;
  let seen: string | undefined;
  for (;;) {
    const instance = (await api.get({ ...INSTANCES, namespace, name }, signal === undefined ? {} : { signal })) as
      | Instance
      | undefined;
    if (instance === undefined) {
      throw new TerminalError(`instance ${name} in namespace ${namespace} does not exist in the cluster`, 'NotFound');
    }
    if (instance.metadata.resourceVersion !== seen) options.onChange?.(instance);
    seen = instance.metadata.resourceVersion;
    const plan = awaitedPlan(instance, before);
    if (plan !== undefined && !before.has(plan.uid ?? '') && isSettled(instance)) {
      if (plan.status === 'COMPLETE') return instance;
      if (plan.status === 'FATAL_ERROR') throw new TerminalError(failureOf(plan, options), 'PlanFailed');
    }
    if (clock.monotonic() >= end) {
      throw new TransientError(`timed out waiting for the condition${whereOf(plan, before)}`, 'Timeout');
    }
    await sleep(clock, ASK_EVERY_MS, signal);
  }
}

/** Uids of all executions in the status. */
export function executionUids(instance: Instance): Set<string> {
  const statuses = Object.values(instance.status?.planStatus ?? {});
  return new Set(statuses.map(({ uid = '' }) => uid).filter((uid) => uid !== ''));
}

/**
 * The scheduled or running plan, else the last one (KUDO GetLastExecutedPlanStatus, which showed the previous execution as
 * COMPLETE until the manager reconciled). An execution that is not in `before` comes first: times of statuses are whole
 * seconds, and two plans may end in the same one.
 */
export function awaitedPlan(instance: Instance, before: ReadonlySet<string> = new Set()): PlanStatus | undefined {
  const scheduled = scheduledStatus(instance);
  if (scheduled !== undefined) return scheduled;
  const statuses = Object.values(instance.status?.planStatus ?? {}).filter(
    ({ status }) => (status ?? 'NEVER_RUN') !== 'NEVER_RUN',
  );
  const running = statuses.find(({ status }) => status !== 'COMPLETE' && status !== 'FATAL_ERROR');
  const isNew = ({ uid = '' }: PlanStatus): boolean => before.size > 0 && uid !== '' && !before.has(uid);
  return running ?? statuses.find(isNew) ?? latestPlan(instance)?.status;
}

/** True when no plan is scheduled, none waits that starts by itself, and the controller has reconciled the last edit, or refused it. */
export function isSettled(instance: Instance): boolean {
  if ((instance.spec?.planExecution?.planName ?? '') !== '') return false;
  if (runQueueOf(instance).entries.length > 0 && failedRun(instance) === undefined) return false;
  return !hasUnseenChange(instance) || readyConditionOf(instance)?.reason === 'ChangeRefused';
}

/** Where a plan is, for the message of a timeout. */
function whereOf(plan: PlanStatus | undefined, before: ReadonlySet<string>): string {
  if (plan === undefined || before.has(plan.uid ?? '')) return '; no plan has started. Is a controller running?';
  const steps = (plan.phases ?? []).flatMap((phase) =>
    (phase.steps ?? []).map((step) => ({ ...step, path: `${phase.name ?? ''}.${step.name ?? ''}` })),
  );
  const open = steps.find(({ status }) => status !== 'COMPLETE' && status !== 'NEVER_RUN' && status !== 'PENDING');
  const step = open === undefined ? '' : ` at ${open.path}${(open.message ?? '') === '' ? '' : `: ${open.message}`}`;
  return `; plan "${plan.name ?? ''}" is ${plan.status ?? 'unknown'}${step}`;
}

function failureOf(plan: PlanStatus, { namespace, instance }: AwaitPlanOptions): string {
  const steps = (plan.phases ?? []).flatMap((phase) => [phase, ...(phase.steps ?? [])]);
  const [message = ''] = [plan, ...steps].map((each) => each.message ?? '').filter((text) => text !== '');
  const why = message === '' ? '' : `: ${message}`;
  return `plan "${plan.name ?? ''}" of instance ${namespace}/${instance} ended in FATAL_ERROR${why}`;
}
