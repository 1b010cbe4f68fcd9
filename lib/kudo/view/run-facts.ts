import { formatElapsed } from '@/lib/clock/duration';
import type { RecordedRun, RecordedStep } from '@/lib/kudo/plan/run-history';
import type { UsualTime } from '@/lib/kudo/plan/usual-time';
import { statusWords } from './status-words';

/** Seconds for people: `under 1 s`, `4 s`, `1 min 12 s`; the empty string when unknown. */
export function spanText(seconds: number | undefined): string {
  if (seconds === undefined) return '';
  return seconds < 1 ? 'under 1 s' : formatElapsed(seconds * 1_000);
}

/** `usually 3–5 s`, `usually 40 s–2 min`, `usually 5 s`. */
export function usualText({ fromSeconds, toSeconds }: UsualTime): string {
  const [from, to] = [spanText(fromSeconds), spanText(toSeconds)];
  if (from === to) return `usually ${to}`;
  const unit = / (?:s|min|h)$/.exec(to)?.[0] ?? '';
  // One unit for both, where both have that one alone.
  const isSameUnit = from.endsWith(unit) && from.split(' ').length === 2 && to.split(' ').length === 2;
  return isSameUnit ? `usually ${from.slice(0, -unit.length)}–${to}` : `usually ${from} – ${to}`;
}

/** The word for a step that an ended plan did not reach. */
export const NOT_REACHED = 'Not reached';

/** `Done in 4 s`, `Failed after 12 s`, `Done`. */
export function resultText({ status, seconds }: Pick<RecordedRun | RecordedStep, 'status' | 'seconds'>): string {
  // A run that has ended starts no further step.
  const word = status === 'PENDING' || status === 'NEVER_RUN' ? NOT_REACHED : statusWords[status].word;
  const span = spanText(seconds);
  if (span === '') return word;
  return status === 'COMPLETE' || span.startsWith('under') ? `${word} in ${span}` : `${word} after ${span}`;
}

/** A row of the grid: a step of the plan with its result in each run (undefined where a run had no such step). */
export interface GridRow {
  readonly phase: string;
  readonly step: string;
  readonly cells: readonly (RecordedStep | undefined)[];
}

/**
 * Steps × runs of a plan. Rows are the current steps of the plan in order, then steps that only earlier runs had; columns are the
 * runs as given.
 */
export function gridRows(
  steps: readonly { readonly phase: string; readonly step: string }[],
  runs: readonly RecordedRun[],
): GridRow[] {
  const keyOf = ({ phase, step }: { phase: string; step: string }) => JSON.stringify([phase, step]);
  const rows = new Map(steps.map((place) => [keyOf(place), place]));
  for (const run of runs) {
    for (const step of run.steps) if (!rows.has(keyOf(step))) rows.set(keyOf(step), step);
  }
  const found = runs.map((run) => new Map(run.steps.map((step) => [keyOf(step), step])));
  return [...rows].map(([key, { phase, step }]) => ({ phase, step, cells: found.map((run) => run.get(key)) }));
}
