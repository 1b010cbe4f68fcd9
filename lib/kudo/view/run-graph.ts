import type { Plan } from '@/lib/kudo/types';
import { type StepLine, stepLines, type TreeLine } from './run-tree-lines';

/** A phase of a run with its steps, as a graph draws them. */
export interface GraphPhase {
  readonly line: TreeLine;
  readonly steps: readonly StepLine[];
  /** Steps that are not drawn, so that a graph stays readable. */
  readonly hidden: number;
  /** True when its steps run one after the other; undefined when nobody knows. */
  readonly isSerial: boolean | undefined;
}

export interface RunGraph {
  readonly phases: readonly GraphPhase[];
  /** Phases that are not drawn. */
  readonly hidden: number;
  readonly isSerial: boolean | undefined;
}

const MOST_PHASES = 50;
const MOST_STEPS = 200;

/**
 * The phases and steps of a run in their order, at most {@link MOST_STEPS} steps.
 *
 * @param plan as the version of the run has it; undefined when that is not known
 */
export function runGraph(lines: readonly TreeLine[], plan: Plan | undefined): RunGraph {
  const all = lines.filter(({ step }) => step === undefined);
  const known = new Map((plan?.phases ?? []).map(({ name, strategy }) => [name, strategy]));
  let room = MOST_STEPS;
  const phases = all.slice(0, MOST_PHASES).map((line): GraphPhase => {
    const steps = stepLines(lines).filter(({ phase }) => phase === line.phase);
    const drawn = steps.slice(0, room);
    room -= drawn.length;
    return { line, steps: drawn, hidden: steps.length - drawn.length, isSerial: isSerial(known.get(line.phase)) };
  });
  return { phases, hidden: all.length - phases.length, isSerial: isSerial(plan?.strategy) };
}

function isSerial(strategy: string | undefined): boolean | undefined {
  return strategy === undefined ? undefined : strategy === 'serial';
}
