import { runsOfEarlierVersion } from '@/lib/kudo/plan/run-history';
import { movedRun, movedStatus, runsToMove } from '@/lib/kudo/runs/moved-runs';
import { isOver } from '@/lib/kudo/runs/plan-run';
import type { Instance } from '@/lib/kudo/types';
import { limits } from '@/lib/limits/limits';
import { createRun, written } from './create-run';
import { keyOf } from './instance-store';
import type { ReconcilerDeps } from './reconciler-deps';

/**
 * Makes a PlanRun, which is over, of each run that an earlier version recorded on the Instance itself. Safe to be repeated: a run that has its
 * PlanRun is left, and one whose PlanRun does not say yet how it ended gets that. Nobody is told of them.
 *
 * @returns true when nothing is left that only the Instance has
 * @throws TransientError
 */
export async function moveRuns(deps: ReconcilerDeps, instance: Instance): Promise<boolean> {
  const { planRuns, clock } = deps;
  const recorded = runsOfEarlierVersion(instance);
  if (recorded.length === 0) return true;
  if (!planRuns.isServed) return false;
  const known = planRuns.of(instance).filter(({ spec }) => spec?.instanceUid === instance.metadata.uid);
  for (const run of runsToMove({ recorded, known, nowMs: clock.now(), limits: limits.planRuns })) {
    const moved = await written(deps, keyOf(instance), async () => {
      const make = (number: number) => movedRun(instance, run, number);
      const made = planRuns.find(instance, run.uid) ?? (await createRun(deps, instance, run, make));
      return isOver(made.status?.status) ? made : await planRuns.writeStatus(made, movedStatus(instance, run));
    });
    if (moved === undefined) return false;
  }
  return true;
}
