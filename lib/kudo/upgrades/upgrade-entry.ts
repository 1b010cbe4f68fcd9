import { formatTime, parseTime } from '@/lib/clock/clock';
import type { ExecutionStatus } from '../types';
import type { EntryState, UpgradeEntry } from './operator-upgrade';

/** What is known of an Instance that an upgrade names. */
export interface InstanceFacts {
  /** Of its OperatorVersion. */
  readonly version: string;
  readonly isDeleting: boolean;
  /** Why it takes no plan now, in a sentence; undefined when it is idle and every change of it was seen. */
  readonly busy: string | undefined;
  /** The plan that ran last. */
  readonly last: LastPlan | undefined;
}

export interface LastPlan {
  readonly plan: string;
  readonly uid: string;
  readonly status: ExecutionStatus | undefined;
  readonly message: string | undefined;
}

/** What entries are decided with. */
export interface EntryContext {
  readonly path: readonly string[];
  readonly timeoutMs: number;
  readonly nowMs: number;
  /** False while no next step may begin. */
  readonly mayMove: boolean;
}

/**
 * States of an Instance in an upgrade: `Waiting` → `Running` (with `Held` while something named keeps it from moving) → the next step, `Running`
 * again → `Upgraded` or `Failed`. And back: any of these → `RollingBack` → `RolledBack` or `RollBackFailed`. The entry says what is wanted; the
 * Instance itself says how far that is. So it does not matter after which write a controller ended.
 */
export function advance(entry: UpgradeEntry, facts: InstanceFacts | undefined, context: EntryContext): UpgradeEntry {
  if (!isMoving(entry)) return entry;
  const isBack = entry.state === 'RollingBack';
  const fail = (message: string): UpgradeEntry => ended(entry, isBack ? 'RollBackFailed' : 'Failed', message);
  if (facts === undefined) return fail(`Instance ${entry.name} does not exist.`);
  if (facts.isDeleting) return fail(`Instance ${entry.name} is being deleted.`);
  const wanted = wantedVersion(entry, context.path);
  if (facts.version === wanted) return atVersion(entry, facts, context);
  const isExpected = isBack || facts.version === versionBefore(entry, context.path);
  if (isExpected) return entry;
  return fail(`Instance ${entry.name} was moved to ${facts.version} by somebody else.`);
}

/** True while something of this entry is under way. */
export function isMoving({ state }: UpgradeEntry): boolean {
  return state === 'Running' || state === 'Held' || state === 'RollingBack';
}

/** The version that the Instance should have. */
export function wantedVersion({ state, step = 0, from = '' }: UpgradeEntry, path: readonly string[]): string {
  return state === 'RollingBack' ? from : (path[step] ?? '');
}

function versionBefore({ step = 0, from = '' }: UpgradeEntry, path: readonly string[]): string {
  return step === 0 ? from : (path[step - 1] ?? '');
}

function atVersion(given: UpgradeEntry, facts: InstanceFacts, context: EntryContext): UpgradeEntry {
  // The time counts from the move on, and not from when it was first tried.
  const entry = given.state === 'Held' ? movedEntry(given, context.nowMs) : given;
  const { last, busy } = facts;
  const isBack = entry.state === 'RollingBack';
  const { message: _, ...quiet } = entry;
  if (busy !== undefined) {
    if (!isTimedOut(entry, context)) return { ...quiet, state: isBack ? 'RollingBack' : 'Running', message: busy };
    const minutes = context.timeoutMs / 60_000;
    return ended(entry, isBack ? 'RollBackFailed' : 'Failed', `Not finished within ${minutes} minutes. ${busy}`);
  }
  // A plan from before this step says nothing about it: the move has started none.
  const own = last?.uid === entry.lastUid ? undefined : last;
  if (own?.status === 'FATAL_ERROR') {
    if (own.uid === entry.retryOf) return { ...quiet, state: entry.state };
    return ended(entry, isBack ? 'RollBackFailed' : 'Failed', failure(own));
  }
  if (isBack) return ended(entry, 'RolledBack');
  const step = (entry.step ?? 0) + 1;
  if (step >= context.path.length) return ended(entry, 'Upgraded');
  return context.mayMove ? beginStep(entry, step, facts, context.nowMs) : { ...quiet, state: 'Running' };
}

/** The entry after its move was written. */
export function movedEntry({ message: _, ...entry }: UpgradeEntry, nowMs: number): UpgradeEntry {
  return entry.state === 'Held' ? { ...entry, state: 'Running', since: formatTime(nowMs) } : entry;
}

function failure({ plan, message = '' }: LastPlan): string {
  return `Plan ${plan} failed${message === '' ? '.' : `: ${message}`}`;
}

function isTimedOut({ since }: UpgradeEntry, { nowMs, timeoutMs }: EntryContext): boolean {
  return nowMs - (parseTime(since) ?? nowMs) > timeoutMs;
}

/** The entry at the beginning of a step. */
export function beginStep(entry: UpgradeEntry, step: number, { last }: InstanceFacts, nowMs: number): UpgradeEntry {
  const { name, wave, from } = entry;
  return {
    ...{ name, wave, state: 'Running', step, since: formatTime(nowMs) },
    ...(from === undefined ? {} : { from }),
    ...(last === undefined ? {} : { lastUid: last.uid }),
  };
}

/** The entry of an Instance whose wave begins, or that is tried again: at the step after the version that it has. */
export function startEntry(entry: UpgradeEntry, facts: InstanceFacts | undefined, context: EntryContext): UpgradeEntry {
  const { path, nowMs } = context;
  const { from, ...bare } = entry;
  if (facts === undefined) return ended(entry, 'Failed', `Instance ${entry.name} does not exist.`);
  const at = path.indexOf(facts.version);
  const known = { ...bare, from: from ?? facts.version };
  const failed = facts.last?.status === 'FATAL_ERROR' && facts.busy === undefined ? facts.last : undefined;
  // Its plan failed at this version: the plan is started again, unless the version was there before the upgrade.
  if (at >= 0 && from !== undefined && from !== facts.version && failed !== undefined) {
    const { lastUid: _, ...begun } = beginStep(known, at, facts, nowMs);
    return { ...begun, retryOf: failed.uid };
  }
  if (at === path.length - 1) return from === undefined ? ended(entry, 'Upgraded') : beginStep(known, at, facts, nowMs);
  return beginStep(known, at + 1, facts, nowMs);
}

/** The entry of an Instance that goes back; one that never moved, or has a version that this upgrade did not set, stays. */
export function backEntry(
  entry: UpgradeEntry,
  facts: InstanceFacts | undefined,
  { path, nowMs }: Pick<EntryContext, 'path' | 'nowMs'>,
): UpgradeEntry {
  const { from, wave, name } = entry;
  if (from === undefined) return ended(entry, 'Skipped');
  if (facts === undefined) return ended(entry, 'RollBackFailed', `Instance ${name} does not exist.`);
  if (facts.version === from) return entry.state === 'Failed' ? entry : ended(entry, 'RolledBack');
  if (!path.includes(facts.version)) {
    return ended(entry, 'RollBackFailed', `Instance ${name} was moved to ${facts.version} by somebody else.`);
  }
  const lastUid = facts.last?.uid;
  const { state, message, problem = state === 'Failed' ? message : undefined } = entry;
  return {
    ...(problem === undefined ? {} : { problem }),
    ...{ name, wave, from, state: 'RollingBack', since: formatTime(nowMs) },
    ...(lastUid === undefined ? {} : { lastUid }),
  };
}

/** True for an Instance that has the version that is wanted, and runs a plan. */
export function isUnderWay(entry: UpgradeEntry, facts: InstanceFacts | undefined, path: readonly string[]): boolean {
  return isMoving(entry) && facts?.version === wantedVersion(entry, path) && facts.busy !== undefined;
}

/** The entry with an end, and why. */
export function ended(entry: UpgradeEntry, state: EntryState, message?: string): UpgradeEntry {
  const { name, wave, from, step, problem } = entry;
  return {
    ...{ name, wave, state },
    ...(problem === undefined || !isBackState(state) ? {} : { problem }),
    ...(from === undefined ? {} : { from }),
    ...(step === undefined || state !== 'Failed' ? {} : { step }),
    ...(message === undefined ? {} : { message: message.slice(0, MOST_MESSAGE_CHARS) }),
  };
}

const isBackState = (state: EntryState): boolean => state === 'RolledBack' || state === 'RollBackFailed';
const MOST_MESSAGE_CHARS = 500;
