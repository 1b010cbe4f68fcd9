import { parseTime } from '@/lib/clock/clock';
import { isOver, type PlanRun, type RunCause } from './plan-run';

const CAUSE_WORDS: { readonly [cause in RunCause]: string } = {
  Create: 'The instance was created',
  Parameters: 'Parameters were changed',
  Version: 'The version was changed',
  Manual: 'The plan was started',
  Schedule: 'A schedule was due',
  Object: 'An object that it reads has changed',
  Resource: 'A resource asked for it',
  Waves: 'The plan runs on several instances in waves',
  Parent: 'The parent instance asked for it',
  SelfHeal: 'Objects had to be restored',
  Retry: 'An earlier run is repeated',
};

/** Why a run began, as a sentence without its full stop. */
export function causeWords(cause: RunCause | undefined): string {
  return cause === undefined ? 'Nobody recorded why' : CAUSE_WORDS[cause];
}

/**
 * When a run began, RFC 3339; empty when nobody knows. One that has not said so yet began when its object was created, unless the object was
 * made after the run had ended, from what an Instance told of it.
 */
export function startOf({ status, metadata }: PlanRun): string {
  const created = metadata.creationTimestamp ?? '';
  const isLate = (parseTime(status?.finishedAt) ?? Infinity) < (parseTime(created) ?? 0);
  return status?.startedAt ?? (isLate ? '' : created);
}

/** Milliseconds from its beginning to its end, or until now; undefined when nobody knows when it began. */
export function durationOf(run: PlanRun, nowMs: number): number | undefined {
  const { status } = run;
  const began = parseTime(startOf(run));
  const ended = isOver(status?.status) ? parseTime(status?.finishedAt) : nowMs;
  return began === undefined || ended === undefined ? undefined : Math.max(0, ended - began);
}

/** When a run began, or ended where nobody knows its beginning, ms; 0 when both are unknown. */
export function beganMs(run: PlanRun): number {
  return parseTime(startOf(run) || run.status?.finishedAt) ?? 0;
}

/** The newest run first; of those that began in the same second the one with the higher number. */
export function byTime(a: PlanRun, b: PlanRun): number {
  return beganMs(b) - beganMs(a) || compareNames(b, a);
}

/** Numbers in names count as numbers. */
const names = new Intl.Collator('en', { numeric: true });

function compareNames(a: PlanRun, b: PlanRun): number {
  return names.compare(a.metadata.name ?? '', b.metadata.name ?? '');
}
