import { TerminalError } from '@/lib/errors/errors';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { PLAN_RUNS, type PlanRun } from '@/lib/kudo/runs/plan-run';
import { type SteerWish, steerPatch } from '@/lib/kudo/runs/steer';
import type { Instance } from '@/lib/kudo/types';
import type { Api } from '@/server/kube/api';
import { retryOnConflict } from '@/server/kube/retry-on-conflict';

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
    const { instanceName = '', plan = '', uid } = run.spec ?? {};
    const instance = (await api.get({ ...INSTANCES, namespace, name: instanceName })) as Instance | undefined;
    // The Instance tells of each step, a PlanRun of some.
    const status = instance?.status?.planStatus?.[plan];
    const spec = steerPatch(run, wish, status?.uid === uid ? (status?.phases ?? undefined) : undefined);
    const { resourceVersion = '' } = run.metadata;
    await api.patch(target, 'merge', { metadata: { resourceVersion }, spec });
  });
}
