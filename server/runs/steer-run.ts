import { TerminalError } from '@/lib/errors/errors';
import { PLAN_RUNS, type PlanRun } from '@/lib/kudo/runs/plan-run';
import { type SteerWish, steerPatch } from '@/lib/kudo/runs/steer';
import type { Api } from '@/server/kube/api';
import { retryOnConflict } from '@/server/kube/retry-on-conflict';
import { readPhases } from './read-phases';

/**
 * Writes what a person wants into the spec of a PlanRun, as it is stored now: the controller writes its status meanwhile.
 *
 * @throws TerminalError `NotFound`, or `Invalid` when the run is over, or has no such phase or step
 */
export async function steerRun(
  api: Api,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  wish: SteerWish,
): Promise<void> {
  const target = { ...PLAN_RUNS, namespace, name };
  await retryOnConflict(async () => {
    const run = (await api.get(target)) as PlanRun | undefined;
    if (run === undefined) throw new TerminalError(`run ${namespace}/${name} does not exist`, 'NotFound');
    const spec = steerPatch(run, wish, await readPhases(api, run));
    const { resourceVersion = '' } = run.metadata;
    await api.patch(target, 'merge', { metadata: { resourceVersion }, spec });
  });
}
