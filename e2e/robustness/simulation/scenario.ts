import type { Plan } from '@/lib/kudo/types';
import { type Random, randomInteger } from '@/lib/random/random';
import { type LateAction, withLateActions } from './late-actions';
import { makePlans, pick, type Shape } from './make-plans';

/** A random operator and what users do to one Instance of it. The same seed always makes the same script. */
export interface Script {
  readonly namespace: string;
  readonly shape: Shape;
  readonly plans: { readonly [name: string]: Plan };
  /** Plans of the child's operator; only a nested operator uses it. */
  readonly childPlans: { readonly [name: string]: Plan };
  readonly parameters: { readonly [name: string]: string };
  readonly actions: readonly TimedAction[];
  /** The Instance has self-heal on, and users change its objects by hand. */
  readonly selfHeals: boolean;
  /** The operator has a plan that a second person approves. */
  readonly isGated?: boolean;
}

/** What happens in one simulation: one or two Instances, each in a namespace of its own, at the same time. */
export interface Scenario {
  readonly scripts: readonly Script[];
  /**
   * Every action waits until the Instance is idle. Then a run with faults must have the same result as one without; a scenario in
   * which users do not wait has no such reference, and only the other invariants check it.
   */
  readonly isPatient: boolean;
}

export type TimedAction = { readonly afterMs: number } & UserAction;

export type UserAction =
  | { readonly do: 'set'; readonly parameters: { readonly [name: string]: string | null } }
  | { readonly do: 'trigger'; readonly plan: string }
  /** The templates of the OperatorVersion are edited. */
  | { readonly do: 'edit-version'; readonly edition: string }
  /** The OperatorVersion is deleted, and created again after a while. */
  | { readonly do: 'drop-version'; readonly forMs: number }
  /** The Instance is upgraded to version 1.1.0, which has no parameter B. */
  | { readonly do: 'upgrade' }
  /** A user changes or deletes one of the Instance's objects by hand; `pick` says which. */
  | { readonly do: 'drift' | 'remove'; readonly pick: number }
  | SteerAction
  | ScheduleAction
  | LateAction
  | { readonly do: 'delete' }
  | { readonly do: 'delete-namespace' };

/** A schedule starts a plan each minute for so long, and is suspended then. */
export interface ScheduleAction {
  readonly do: 'schedule';
  readonly plan: string;
  readonly forMs: number;
  /** It waits while a plan runs; else it skips the slot. */
  readonly waits: boolean;
  readonly hasBlackout: boolean;
}

/** What users do with the run under way, if there is one; `pick` says which step is skipped. */
export type SteerAction =
  | { readonly do: 'pause'; readonly forMs: number }
  /** `isHalfDone`: when a step is complete and another one is not. */
  | { readonly do: 'cancel'; readonly isHalfDone?: true }
  | { readonly do: 'skip'; readonly pick: number };

/** The scenario that a seeded Random makes. */
export function makeScenario(random: Random): Scenario {
  const isPatient = randomInteger(random, 10) < 6;
  const scripts: Script[] = [];
  for (let count = randomInteger(random, 3) === 0 ? 2 : 1; scripts.length < count; )
    scripts.push(makeScript(random, `sim-${scripts.length + 1}`, isPatient));
  return { scripts: isPatient ? scripts : scripts.map((script) => withLateActions(random, script)), isPatient };
}

/** Fifty steps are as much work as ten other operators. */
const SHAPES: readonly Shape[] = [
  ...Array.from({ length: 9 }, (): Shape => 'mixed'),
  'long',
  ...(['nested', 'broken', 'failing'] as const).flatMap((shape): Shape[] => [shape, shape]),
];

function makeScript(random: Random, namespace: string, isPatient: boolean): Script {
  const shape = SHAPES[randomInteger(random, SHAPES.length)] ?? 'mixed';
  const selfHeals = randomInteger(random, 3) === 0;
  const actions: TimedAction[] = [];
  const afterMs = () => (isPatient ? 0 : randomInteger(random, 12_000));
  for (let count = 1 + randomInteger(random, 4); count > 0; count--)
    actions.push({ ...makeUserAction(random, shape, isPatient), afterMs: afterMs() });
  for (let count = selfHeals ? 1 + randomInteger(random, 3) : 0; count > 0; count--) {
    const meddling: UserAction = { do: pick(random, ['drift', 'remove'] as const), pick: randomInteger(random, 100) };
    actions.splice(randomInteger(random, actions.length + 1), 0, { ...meddling, afterMs: afterMs() });
  }
  if (shape === 'broken') actions.push({ do: 'set', parameters: { BROKEN: 'false' }, afterMs: afterMs() });
  if (randomInteger(random, 6) === 0) actions.push({ do: 'upgrade', afterMs: afterMs() });
  const end = randomInteger(random, 8);
  if (end < 2) actions.push({ do: 'delete', afterMs: afterMs() });
  else if (end === 2) actions.push({ do: 'delete-namespace', afterMs: afterMs() });
  const parameters = {
    ...(randomInteger(random, 2) === 0 ? {} : { A: 'first' }),
    ...(shape === 'broken' ? { BROKEN: 'true' } : {}),
  };
  const plans = makePlans(random, shape);
  const childPlans = makePlans(random, 'mixed');
  const steered = withSchedule(random, withSteering(random, actions, isPatient), isPatient);
  return { namespace, shape, plans, childPlans, parameters, actions: steered, selfHeals };
}

/** A run that was paused has the same result in the end; one that was cancelled, or of which a step was skipped, has not. */
function withSteering(random: Random, actions: readonly TimedAction[], isPatient: boolean): TimedAction[] {
  return actions.flatMap((action) => {
    if (randomInteger(random, 4) > 0) return [action];
    const kind = isPatient ? 0 : randomInteger(random, 4);
    const steer: SteerAction =
      kind < 2
        ? { do: 'pause', forMs: 1_000 + randomInteger(random, 90_000) }
        : kind === 2
          ? { do: 'cancel' }
          : { do: 'skip', pick: randomInteger(random, 100) };
    return [action, { ...steer, afterMs: randomInteger(random, 3_000) }];
  });
}

/** How often a plan of a schedule runs depends on every fault, so that such a scenario has no reference. */
function withSchedule(random: Random, actions: readonly TimedAction[], isPatient: boolean): TimedAction[] {
  if (isPatient || randomInteger(random, 2) === 0) return [...actions];
  const schedule: TimedAction = {
    do: 'schedule',
    plan: pick(random, ['backup', 'deploy']),
    forMs: 60_000 * (2 + randomInteger(random, 5)),
    waits: randomInteger(random, 2) === 0,
    hasBlackout: randomInteger(random, 2) === 0,
    afterMs: randomInteger(random, 30_000),
  };
  return actions.toSpliced(randomInteger(random, actions.length + 1), 0, schedule);
}

function makeUserAction(random: Random, shape: Shape, isPatient: boolean): UserAction {
  const kind = randomInteger(random, 12);
  if (kind < 3) return { do: 'trigger', plan: ['deploy', 'backup'][randomInteger(random, 2)] ?? 'deploy' };
  if (kind === 3) return { do: 'edit-version', edition: `e${randomInteger(random, 1_000)}` };
  if (kind === 4 && !isPatient) return { do: 'drop-version', forMs: 1_000 + randomInteger(random, 120_000) };
  return { do: 'set', parameters: makeEdit(random, shape) };
}

function makeEdit(random: Random, shape: Shape): { [name: string]: string } {
  const name = pick(random, ['A', 'B', 'SIZE', 'ON', 'A', 'FAIL', 'ALL']);
  // Three plans, one after the other.
  if (name === 'ALL') return shape === 'broken' ? { A: 'all' } : { A: 'all', B: 'all', ON: 'false' };
  if (name === 'FAIL') return { FAIL: pick(random, ['none', 'crash', 'image-pull']) };
  if (name === 'SIZE') return { SIZE: String(1 + randomInteger(random, 2)) };
  if (name === 'ON') return { ON: randomInteger(random, 2) === 0 ? 'true' : 'false' };
  const value = `v${randomInteger(random, 1_000)}`;
  return shape === 'broken' && name === 'B' ? { A: value } : { [name]: value };
}
