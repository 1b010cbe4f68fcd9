import { type Random, randomInteger } from '@/lib/random/random';
import { pick } from './make-plans';
import type { Script, TimedAction, UserAction } from './scenario';

/** The plan that a second person has to approve; only scripts with `isGated` have it. */
export const GATED_PLAN = 'restore';

/** What users do that holds plans back, or lets them go. */
export type GateAction =
  /** No plan starts until the end, or until somebody unlocks. */
  | { readonly do: 'lock'; readonly endsInMs: number }
  | { readonly do: 'unlock' }
  /** A plan is started against the lock, with a reason that no other action gives. */
  | { readonly do: 'break-lock'; readonly plan: string; readonly reason: string }
  /**
   * A user asks for the plan that needs an approval, another one approves after a while, and the first one starts it, `starts` times with the
   * same approval.
   */
  | { readonly do: 'approved-start'; readonly afterwardsMs: number; readonly starts: number };

/** What users do with runs that are over, and with those that wait; nothing without such a run. `pick` says which. */
export type RepeatAction =
  /** `waits`: until a run has failed that the Instance still tells of, and no plan runs. */
  | { readonly do: 'retry'; readonly waits?: true }
  | { readonly do: 'undo' }
  | { readonly do: 'resume' }
  | { readonly do: 'move'; readonly pick: number }
  | { readonly do: 'take-off'; readonly pick: number };

export type LateAction = GateAction | RepeatAction | StopAction;

/** The run under way stops after one of its phases, and goes on after a while. */
export interface StopAction {
  readonly do: 'stop-after';
  readonly pick: number;
  readonly forMs: number;
}

/** Puts actions at a random place from one on; gives the place behind them. `afterMs` is drawn when it is not given. */
type Insert = (from: number, ...added: readonly (UserAction & { readonly afterMs?: number })[]) => number;

/**
 * The script with more actions, in two of three scripts whose users do not wait: what these come to depends on every fault, so that such a
 * scenario has no reference. All of it is drawn after the rest of the scenario, so that a seed without them is the run that it was.
 */
export function withLateActions(random: Random, script: Script): Script {
  if (randomInteger(random, 3) === 0) return script;
  let actions: readonly TimedAction[] = script.actions;
  // Nothing is asked of an Instance that is being deleted.
  const end = () => {
    const at = actions.findIndex((action) => action.do === 'delete' || action.do === 'delete-namespace');
    return at < 0 ? actions.length : at;
  };
  const insert: Insert = (from, ...added) => {
    const at = from + randomInteger(random, end() + 1 - from);
    actions = actions.toSpliced(
      at,
      0,
      ...added.map(({ afterMs = randomInteger(random, 12_000), ...action }) => ({ ...action, afterMs })),
    );
    return at + added.length;
  };
  for (let count = 1 + randomInteger(random, 3); count > 0; count--) insert(0, repeatAction(random));
  if (randomInteger(random, 2) === 0) cancelAndRepeat(random, insert);
  if (randomInteger(random, 2) === 0) lock(random, insert);
  const isGated = randomInteger(random, 2) === 0;
  for (let count = isGated ? 1 + randomInteger(random, 2) : 0; count > 0; count--) insert(0, approvedStart(random));
  return { ...script, actions, isGated };
}

function repeatAction(random: Random): LateAction {
  const what = pick(random, ['retry', 'retry', 'undo', 'resume', 'move', 'take-off', 'stop-after', 'stop-after']);
  const choice = randomInteger(random, 100);
  if (what === 'stop-after') return { do: what, pick: choice, forMs: 1_000 + randomInteger(random, 60_000) };
  return what === 'move' || what === 'take-off' ? { do: what, pick: choice } : { do: what };
}

/** A plan that is cancelled has steps that are done, and a retry goes on behind them. */
function cancelAndRepeat(random: Random, insert: Insert): void {
  const plan = pick(random, ['deploy', 'backup', 'update']);
  const afterMs = randomInteger(random, 3_000);
  insert(0, { do: 'trigger', plan }, { do: 'cancel', isHalfDone: true, afterMs }, { do: 'retry', waits: true });
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A lock, perhaps one that ends soon; then it is broken once or twice, and perhaps taken off. */
function lock(random: Random, insert: Insert): void {
  const endsInMs = randomInteger(random, 4) === 0 ? MINUTE_MS + randomInteger(random, 10 * MINUTE_MS) : 30 * DAY_MS;
  let at = insert(0, { do: 'lock', endsInMs });
  for (let count = 1 + randomInteger(random, 2); count > 0; count--) {
    const plan = pick(random, ['deploy', 'backup', 'update']);
    at = insert(at, { do: 'break-lock', plan, reason: `emergency ${randomInteger(random, 1_000_000)}` });
  }
  if (randomInteger(random, 2) === 0) insert(at, { do: 'unlock' });
}

function approvedStart(random: Random): GateAction {
  const starts = 1 + randomInteger(random, 2);
  return { do: 'approved-start', afterwardsMs: randomInteger(random, 20_000), starts };
}
