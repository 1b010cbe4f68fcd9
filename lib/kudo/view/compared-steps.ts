import { parseTime } from '@/lib/clock/clock';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import { byTime } from '@/lib/kudo/runs/run-words';
import { type StepLine, stepLines, type TreeLine } from './run-tree-lines';

/** A step in two runs. */
export interface ComparedStep {
  readonly phase: string;
  readonly step: string;
  /** Undefined when only the other run has the step. */
  readonly before: StepLine | undefined;
  readonly after: StepLine | undefined;
}

/** The steps of two runs side by side: those of the later run in its order, then those that only the earlier one had. */
export function compareSteps(before: readonly TreeLine[], after: readonly TreeLine[]): ComparedStep[] {
  const [was, is] = [byPlace(before), byPlace(after)];
  const places = [...new Set([...is.keys(), ...was.keys()])];
  return places.flatMap((place) => {
    const [old, now] = [was.get(place), is.get(place)];
    const line = now ?? old;
    return line === undefined ? [] : [{ phase: line.phase, step: line.step, before: old, after: now }];
  });
}

function byPlace(lines: readonly TreeLine[]): Map<string, StepLine> {
  return new Map(stepLines(lines).map((line) => [JSON.stringify([line.phase, line.step]), line]));
}

/** Seconds that a step took, or has taken so far; undefined when it has not begun, or nobody recorded it. */
export function stepSeconds({ seconds, startedAt, status }: StepLine, nowMs: number): number | undefined {
  const began = parseTime(startedAt);
  const isWorking = status === 'IN_PROGRESS' || status === 'ERROR';
  if (seconds !== undefined || began === undefined || !isWorking) return seconds;
  return Math.max(0, (nowMs - began) / 1_000);
}

/**
 * The runs that one is compared with, the likeliest first: the newest before it of the same plan, then the others of that plan, then those of
 * other plans, each the newest first.
 */
export function runsToCompare<Row extends { readonly run: PlanRun; readonly plan: string }>(
  runs: readonly Row[],
  chosen: Row,
): Row[] {
  const rank = (row: Row): number => {
    if (row.plan !== chosen.plan) return 2;
    return byTime(row.run, chosen.run) > 0 ? 0 : 1;
  };
  return runs
    .filter(({ run }) => run.metadata.name !== chosen.run.metadata.name)
    .sort((a, b) => rank(a) - rank(b) || byTime(a.run, b.run));
}
