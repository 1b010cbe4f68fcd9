import { nameOf, namespaceOf } from '@/lib/kube/object';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import { type SteerWish, steerPatch } from '@/lib/kudo/runs/steer';
import type { PlannedPhase } from '@/lib/kudo/runs/steering';
import { bravoLine, type CopiedCommands, type CopiedPatch, kubectlPatch, patchFile } from './copied-commands';

/**
 * The commands that steer a run as a button does.
 *
 * @throws TerminalError `Invalid` as {@link steerPatch} does
 */
export function steerCommands(
  run: PlanRun,
  wish: SteerWish,
  phases: readonly PlannedPhase[] | undefined,
): CopiedCommands {
  const patch: CopiedPatch = {
    resource: 'planruns.bravo.kudo.dev',
    namespace: namespaceOf(run),
    name: nameOf(run),
    patch: { spec: steerPatch(run, wish, phases) },
  };
  return {
    kubectl: kubectlPatch(patch),
    bravo: bravoLine(['run', wish.do, nameOf(run), ...flagsOf(wish)], run),
    yaml: patchFile(patch),
  };
}

/** A cancellation has no `--yes`: the person who pastes it is asked. */
function flagsOf(wish: SteerWish): string[] {
  switch (wish.do) {
    case 'skip':
      return ['--phase', wish.phase, '--step', wish.step, '--reason', wish.reason];
    case 'stop-after':
      return ['--phase', wish.phase];
    default:
      return [];
  }
}
