import { TerminalError } from '@/lib/errors/errors';
import type { JsonObject, JsonValue } from '@/lib/json/json';
import { nameOf } from '@/lib/kube/object';
import { isOver, type PlanRun } from './plan-run';
import type { PlannedPhase } from './steering';

/** What a person wants with a run that is not over. */
export type SteerWish =
  | { readonly do: 'pause' | 'resume' | 'cancel' }
  | { readonly do: 'skip'; readonly phase: string; readonly step: string; readonly reason: string }
  /** An empty phase takes it back. */
  | { readonly do: 'stop-after'; readonly phase: string };

/**
 * The merge patch of a PlanRun's spec that a wish comes to.
 *
 * @param phases the phases of the plan, each with its steps; undefined when they are not known yet
 * @throws TerminalError `Invalid` when the run is over, the phase or step does not exist, or the step is done
 */
export function steerPatch(run: PlanRun, wish: SteerWish, phases: readonly PlannedPhase[] | undefined): JsonObject {
  const { status } = run.status ?? {};
  const name = nameOf(run);
  if (isOver(status))
    throw invalid(`run ${name} is over (${status}); start the plan again with \`bravo run retry ${name}\``);
  if (run.spec?.cancelled === true && wish.do !== 'cancel')
    throw invalid(`run ${name} is cancelled and ends after the task that runs now`);
  switch (wish.do) {
    case 'pause':
      return { paused: true };
    case 'resume':
      return { paused: false, ...(isStopAhead(run, phases) ? {} : { stopAfter: '' }) };
    case 'cancel':
      return { cancelled: true };
    case 'stop-after':
      if (wish.phase !== '') phaseOf(phases, wish.phase);
      return { stopAfter: wish.phase };
    case 'skip':
      return { skip: skipWith(run, wish, phases) };
  }
}

/** True for a run that is paused before it comes to the phase at which it is to stop: that is still wanted. */
function isStopAhead({ spec = {} }: PlanRun, phases: readonly PlannedPhase[] | undefined): boolean {
  const stop = phases?.find(({ name }) => name === spec.stopAfter);
  return spec.paused === true && stop !== undefined && stop.status !== 'COMPLETE';
}

function phaseOf(phases: readonly PlannedPhase[] | undefined, phase: string): PlannedPhase | undefined {
  if (phases === undefined) return undefined;
  const found = phases.find(({ name }) => name === phase);
  if (found !== undefined) return found;
  throw invalid(`the plan has no phase "${phase}"; its phases are ${phases.map(({ name }) => name).join(', ')}`);
}

function skipWith(
  run: PlanRun,
  { phase, step, reason }: Extract<SteerWish, { do: 'skip' }>,
  phases: readonly PlannedPhase[] | undefined,
): JsonValue[] {
  const steps = phaseOf(phases, phase)?.steps ?? undefined;
  const found = steps?.find(({ name }) => name === step);
  if (steps !== undefined && found === undefined) {
    const names = steps.map(({ name }) => name).join(', ');
    throw invalid(`phase "${phase}" has no step "${step}"; its steps are ${names}`);
  }
  if (found?.status === 'COMPLETE') throw invalid(`step ${step} of phase ${phase} is complete already`);
  const others = (run.spec?.skip ?? []).filter((each) => each.phase !== phase || each.step !== step);
  return [...others, { phase, step, reason }].map((each) => ({
    phase: each.phase ?? '',
    step: each.step ?? '',
    reason: each.reason ?? '',
  }));
}

function invalid(message: string): TerminalError {
  return new TerminalError(message, 'Invalid');
}
