import { formatTime } from '@/lib/clock/clock';
import { windowState } from './maintenance-window';
import {
  DEFAULT_INSTANCE_TIMEOUT_MINUTES,
  isUpgradeOver,
  type OperatorUpgrade,
  type OperatorUpgradeSpec,
  type OperatorUpgradeStatus,
  PLAN_STARTED,
  type UpgradeEntry,
} from './operator-upgrade';
import {
  advance,
  backEntry,
  type EntryContext,
  ended,
  type InstanceFacts,
  isMoving,
  isUnderWay,
  startEntry,
  wantedVersion,
} from './upgrade-entry';
import { type Decided, entryWords, isFailed, summary, withEntries } from './upgrade-summary';

export type Facts = ReadonlyMap<string, InstanceFacts>;

/** The status that is to be written before anything is done, and when a window opens. */
export interface NextStatus {
  readonly status: OperatorUpgradeStatus;
  /** What is to be done once the status is written. */
  readonly moves: readonly UpgradeMove[];
  /** Wall milliseconds: when to look again although nothing changed; undefined when only a change matters. */
  readonly wakeMs: number | undefined;
}

/** One write to an Instance: to another version, forward or back, or a plan that is started again at the version that it has. */
export type UpgradeMove =
  | { readonly do: 'move'; readonly entry: UpgradeEntry; readonly version: string }
  | { readonly do: 'back'; readonly entry: UpgradeEntry; readonly version: string }
  | { readonly do: 'retry'; readonly entry: UpgradeEntry; readonly plan: string };

/**
 * The next status of an upgrade, by its spec, its status and what its Instances are. Pure: asked again it answers the same. What it says to move
 * is moved afterwards (docs/decisions/098).
 */
export function nextUpgradeStatus(upgrade: OperatorUpgrade, facts: Facts, nowMs: number): NextStatus {
  const { spec = {} } = upgrade;
  const before = withEntries(upgrade, nowMs);
  // What is over can still be taken back.
  const goesBack = spec.rollBack === true && before.phase !== 'RolledBack';
  if (isUpgradeOver({ status: before }) && !goesBack) return { status: before, moves: [], wakeMs: undefined };
  const window = windowState(spec.window, nowMs);
  if (typeof window === 'string') {
    return { status: { ...before, phase: 'Paused', message: window }, moves: [], wakeMs: undefined };
  }
  const stops = spec.pause === true || spec.cancel === true || spec.rollBack === true;
  const context: EntryContext = {
    path: spec.plan === undefined ? (spec.path ?? []) : [PLAN_STARTED],
    timeoutMs: (spec.instanceTimeoutMinutes ?? DEFAULT_INSTANCE_TIMEOUT_MINUTES) * 60_000,
    nowMs,
    mayMove: !stops && window.isOpen,
  };
  const observed = (before.instances ?? []).map((entry) => advance(entry, facts.get(entry.name), context));
  const decided = decide({ spec, before, entries: observed, facts, context });
  const opensAtMs = window.isOpen ? undefined : window.opensAtMs;
  const status = withPlanWords(summary(before, decided, nowMs), spec.plan);
  const isWaiting = status.phase === 'Running' && decided.entries.every((entry) => !isMoving(entry));
  const closed = isWaiting && !window.isOpen;
  const opens = opensAtMs === undefined ? 'never opens again' : `opens at ${formatTime(opensAtMs)}`;
  const moves = decided.entries.flatMap((entry) => moveOf(entry, facts.get(entry.name), context));
  return {
    moves,
    status: closed ? { ...status, message: `The maintenance window is closed; it ${opens}.` } : status,
    wakeMs: opensAtMs,
  };
}

/** What is said of an end, where a plan ran instead of a move. */
function withPlanWords(status: OperatorUpgradeStatus, plan: string | undefined): OperatorUpgradeStatus {
  if (plan === undefined || status.phase !== 'Complete') return status;
  const { instances = [] } = status;
  return {
    ...status,
    message: `Plan ${plan} is complete on ${instances.length === 1 ? 'the Instance' : `all ${instances.length} Instances`}.`,
  };
}

function moveOf(entry: UpgradeEntry, facts: InstanceFacts | undefined, { path, mayMove }: EntryContext): UpgradeMove[] {
  if (facts === undefined || !isMoving(entry)) return [];
  const version = wantedVersion(entry, path);
  if (entry.state === 'RollingBack') return facts.version === version ? [] : [{ do: 'back', entry, version }];
  if (!mayMove) return [];
  if (facts.version !== version) return [{ do: 'move', entry, version }];
  const { last, busy } = facts;
  const isFailed = busy === undefined && last !== undefined && last.uid === entry.retryOf;
  return isFailed ? [{ do: 'retry', entry, plan: last.plan }] : [];
}

interface Deciding {
  readonly spec: OperatorUpgradeSpec;
  readonly before: OperatorUpgradeStatus;
  readonly entries: readonly UpgradeEntry[];
  readonly facts: Facts;
  readonly context: EntryContext;
}

function decide(all: Deciding): Decided {
  const { spec, entries, facts, context } = all;
  if (spec.rollBack === true) return rollBackAll(all);
  // Something that goes back goes on until it is there.
  if (entries.some(({ state }) => state === 'RollingBack')) return { entries, phase: 'RollingBack' };
  if (spec.cancel === true) return cancel(all);
  const wave = currentWave(entries, spec);
  if (wave === undefined) return { entries, phase: entries.some(isFailed) ? 'Failed' : 'Complete' };
  const members = entries.filter((entry) => entry.wave === wave);
  const isPausing = spec.pauseOnFailure !== false || spec.rollBackWave === true;
  if (isPausing && members.some(isFailed)) return afterFailure(all, wave);
  if (spec.pause === true) {
    const isBusy = entries.some((entry) => isUnderWay(entry, facts.get(entry.name), context.path));
    return { entries, phase: isBusy ? 'Running' : 'Paused', message: 'Paused by spec.pause.' };
  }
  return startWave(all, wave);
}

/** Waits for what still runs in the wave; then takes it back, or waits for a person. */
function afterFailure(all: Deciding, wave: number): Decided {
  const { spec, before, entries, facts, context } = all;
  if (entries.some((entry) => entry.wave === wave && entry.state === 'Running')) return { entries, phase: 'Running' };
  const resume = spec.resume ?? 0;
  if (resume > (before.resumed ?? 0)) {
    const again = entries.map((entry) =>
      entry.wave === wave && isFailed(entry) ? restarted(entry, facts, context) : entry,
    );
    return { entries: again, phase: 'Running', resumed: resume };
  }
  const failed = entries.filter((entry) => entry.wave === wave && isFailed(entry));
  const first = failed.find(({ problem }) => problem !== undefined) ?? failed[0];
  const why = first === undefined ? '' : entryWords(first);
  const isBack = entries.some(
    (entry) => entry.wave === wave && (entry.state === 'RolledBack' || entry.state === 'RollBackFailed'),
  );
  if (spec.rollBackWave === true && !isBack) {
    const back = entries.map((entry) => {
      if (entry.wave !== wave || entry.from === undefined) return entry;
      return backEntry(entry, facts.get(entry.name), context);
    });
    return { entries: back, phase: 'RollingBack', message: `Wave ${wave} goes back. ${why}` };
  }
  const state = isBack ? `Wave ${wave} went back` : `Wave ${wave} failed`;
  return { entries: entries.map(withoutHold), phase: 'Paused', message: `${state}. ${why}` };
}

/** Of an upgrade that is paused nothing is held. */
function withoutHold(entry: UpgradeEntry): UpgradeEntry {
  return entry.state === 'Held' ? waitingEntry(entry) : entry;
}

function waitingEntry({ name, wave, from }: UpgradeEntry): UpgradeEntry {
  return { name, wave, state: 'Waiting', ...(from === undefined ? {} : { from }) };
}

function restarted(entry: UpgradeEntry, facts: Facts, context: EntryContext): UpgradeEntry {
  const waiting = waitingEntry(entry);
  return context.mayMove ? startEntry(waiting, facts.get(entry.name), context) : waiting;
}

function startWave({ entries, facts, context }: Deciding, wave: number): Decided {
  if (!context.mayMove) return { entries, phase: 'Running' };
  const started = entries.map((entry) =>
    entry.wave === wave && entry.state === 'Waiting' ? startEntry(entry, facts.get(entry.name), context) : entry,
  );
  return { entries: started, phase: 'Running' };
}

function cancel({ entries, facts, context }: Deciding): Decided {
  const left = entries.map((entry) => {
    if (entry.state === 'Waiting') return ended(entry, 'Skipped');
    if (!isMoving(entry) || isUnderWay(entry, facts.get(entry.name), context.path)) return entry;
    return ended(entry, 'Skipped', 'It was cancelled before this Instance was done.');
  });
  if (!left.some(isMoving)) return { entries: left, phase: 'Cancelled' };
  return { entries: left, phase: 'Running', message: 'Cancelled; plans in progress end first.' };
}

/** The last wave first would take as many moments as there were waves; what goes back does so at once. */
function rollBackAll({ entries, facts, context }: Deciding): Decided {
  const taken = entries.map((entry) => {
    if (['RollingBack', 'RolledBack', 'RollBackFailed', 'Skipped'].includes(entry.state)) return entry;
    return backEntry(entry, facts.get(entry.name), context);
  });
  if (taken.some(({ state }) => state === 'RollingBack')) return { entries: taken, phase: 'RollingBack' };
  return { entries: taken, phase: taken.some(({ state }) => state === 'RollBackFailed') ? 'Failed' : 'RolledBack' };
}

/** The first wave that has something to do. Failures count as done where the upgrade goes on after them. */
function currentWave(
  entries: readonly UpgradeEntry[],
  { pauseOnFailure = true, rollBackWave = false }: OperatorUpgradeSpec,
) {
  const isDone = (entry: UpgradeEntry) =>
    entry.state === 'Upgraded' || entry.state === 'Skipped' || (!pauseOnFailure && !rollBackWave && isFailed(entry));
  return entries.find((entry) => !isDone(entry))?.wave;
}
