import type { JsonObject } from '@/lib/json/json';
import { nameOf } from '@/lib/kube/object';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { CLEANUP_PLAN } from '@/lib/kudo/names';
import { isTerminal } from '@/lib/kudo/plan/status';
import { isOver, PLAN_RUNS, type PlanRun } from '@/lib/kudo/runs/plan-run';
import type { Instance } from '@/lib/kudo/types';
import { codeOf } from '@/server/kube/errors';
import type { StopAction } from './late-actions';
import type { SteerAction, UserAction } from './scenario';
import { INSTANCE } from './script-objects';
import type { Simulation } from './simulation';

/** How long users look for a run that they want to steer. */
const LOOK_MS = 10_000;
/** How long they wait for a step of it to complete. */
const HALF_DONE_MS = 20_000;

export function isSteering(action: UserAction): action is SteerAction {
  return action.do === 'pause' || action.do === 'cancel' || action.do === 'skip';
}

/** A step is complete, and the run goes on. */
function isHalfDone({ sandbox }: Simulation, namespace: string, { spec }: PlanRun): boolean {
  const instance = sandbox.api.get({ ...INSTANCES, namespace, name: INSTANCE }) as Instance | undefined;
  const status = instance?.status?.planStatus?.[spec?.plan ?? ''];
  if (status === undefined || status.uid !== spec?.uid || isTerminal(status.status)) return false;
  return (status.phases ?? []).some(({ steps }) => (steps ?? []).some((step) => step.status === 'COMPLETE'));
}

/** Users steer the run under way of the Instance in a namespace; nothing happens when there is none. */
export async function steer(
  simulation: Simulation,
  namespace: string,
  action: SteerAction | StopAction,
): Promise<void> {
  const find = () =>
    (simulation.sandbox.api.list({ ...PLAN_RUNS, namespace }) as PlanRun[]).find(
      (run) => run.spec?.instanceName === INSTANCE && !isOver(run.status?.status),
    );
  if (!(await simulation.scheduler.until(() => find() !== undefined, LOOK_MS))) return;
  const run = find();
  if (run === undefined) return;
  const write = (spec: JsonObject) =>
    simulation.people
      .patch({ ...PLAN_RUNS, namespace, name: nameOf(run) }, 'merge', { spec })
      .catch((error: unknown) => {
        // It may have gone with its namespace meanwhile.
        if (codeOf(error) !== 404) throw error;
      });
  switch (action.do) {
    case 'cancel':
      // An Instance whose cleanup was cancelled stays until somebody asks for the cleanup again.
      if (run.spec?.plan === CLEANUP_PLAN) return;
      if (action.isHalfDone === true)
        await simulation.scheduler.until(() => isHalfDone(simulation, namespace, run), HALF_DONE_MS);
      await write({ cancelled: true });
      return;
    case 'skip': {
      const steps = (run.status?.phases ?? []).flatMap((phase) =>
        (phase.steps ?? []).map((step) => ({ phase: phase.name ?? '', step: step.name ?? '' })),
      );
      const chosen = steps[action.pick % Math.max(1, steps.length)] ?? { phase: 'p0', step: 's0' };
      await write({ skip: [chosen] });
      return;
    }
    case 'stop-after': {
      const phases = run.status?.phases ?? [];
      await write({ stopAfter: phases[action.pick % Math.max(1, phases.length)]?.name ?? 'p0' });
      await simulation.scheduler.pass(action.forMs);
      await write({ stopAfter: '' });
      return;
    }
    case 'pause':
      await write({ paused: true });
      await simulation.scheduler.pass(action.forMs);
      await write({ paused: false });
  }
}
