import type { RecordedRun } from './run-history';

/** How long a plan or step usually takes, in seconds: most of the last complete runs lie between. */
export interface UsualTime {
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

/** Fewer runs say nothing about the usual time. */
const FEWEST = 2;
/** Later than the usual time by this factor, and by at least so many seconds, is late. */
const LATE_FACTOR = 2;
const LATE_SECONDS = 15;

/** How long a plan usually takes: its complete runs, without the shortest and the longest fifth. */
export function usualPlanTime(history: readonly RecordedRun[], plan: string): UsualTime | undefined {
  return usual(goodRuns(history, plan).map(({ seconds }) => seconds));
}

/** The same of one step. */
export function usualStepTime(
  history: readonly RecordedRun[],
  place: { readonly plan: string; readonly phase: string; readonly step: string },
): UsualTime | undefined {
  const steps = goodRuns(history, place.plan).map((run) =>
    run.steps.find(({ phase, step }) => phase === place.phase && step === place.step),
  );
  return usual(steps.map((step) => (step?.status === 'COMPLETE' ? step.seconds : undefined)));
}

/** True when it has been running for clearly longer than it usually takes. */
export function isLate(seconds: number, time: UsualTime | undefined): boolean {
  return time !== undefined && seconds > Math.max(time.toSeconds * LATE_FACTOR, time.toSeconds + LATE_SECONDS);
}

function goodRuns(history: readonly RecordedRun[], plan: string): RecordedRun[] {
  return history.filter((run) => run.plan === plan && run.status === 'COMPLETE');
}

function usual(values: readonly (number | undefined)[]): UsualTime | undefined {
  const known = values.filter((value) => value !== undefined).sort((a, b) => a - b);
  if (known.length < FEWEST) return undefined;
  const cut = Math.floor(known.length / 5);
  const [from, to] = [known[cut], known[known.length - 1 - cut]];
  return from === undefined || to === undefined ? undefined : { fromSeconds: from, toSeconds: to };
}
