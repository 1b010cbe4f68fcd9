import { parseTime } from '@/lib/clock/clock';
import { isOver, type PlanRun, type RunCause } from './plan-run';

const CAUSE_WORDS: { readonly [cause in RunCause]: string } = {
  Create: 'The instance was created',
  Parameters: 'Parameters were changed',
  Version: 'The version was changed',
  Manual: 'The plan was started',
  Schedule: 'A schedule was due',
  Parent: 'The parent instance asked for it',
  SelfHeal: 'Objects had to be restored',
  Retry: 'An earlier run is repeated',
};

/** Why a run began, as a sentence without its full stop. */
export function causeWords(cause: RunCause | undefined): string {
  return cause === undefined ? 'Nobody recorded why' : CAUSE_WORDS[cause];
}

/** Milliseconds from its beginning to its end, or until now; undefined when it has not said when it began. */
export function durationOf({ status, metadata }: PlanRun, nowMs: number): number | undefined {
  const began = parseTime(status?.startedAt ?? metadata.creationTimestamp);
  const ended = isOver(status?.status) ? parseTime(status?.finishedAt) : nowMs;
  return began === undefined || ended === undefined ? undefined : Math.max(0, ended - began);
}

/** The newest run first. */
export function byTime(a: PlanRun, b: PlanRun): number {
  const timeOf = ({ status, metadata }: PlanRun) => status?.startedAt ?? metadata.creationTimestamp ?? '';
  return (
    timeOf(b).localeCompare(timeOf(a)) ||
    (b.metadata.name ?? '').localeCompare(a.metadata.name ?? '', 'en', { numeric: true })
  );
}
