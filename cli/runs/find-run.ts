import { TerminalError } from '@/lib/errors/errors';
import { nameOf } from '@/lib/kube/object';
import { isOver, PLAN_RUNS, type PlanRun } from '@/lib/kudo/runs/plan-run';
import { byTime } from '@/lib/kudo/runs/run-words';
import { codeOf } from '@/server/kube/errors';
import type { ClusterSession } from '../support/session';

/** The PlanRuns of a namespace, newest first; of all namespaces without one. */
export async function listRuns({ api }: ClusterSession, namespace: string | undefined): Promise<PlanRun[]> {
  try {
    const { items } = await api.list({ ...PLAN_RUNS, ...(namespace === undefined ? {} : { namespace }) });
    return (items as PlanRun[]).sort(byTime);
  } catch (error) {
    if (codeOf(error) !== 404) throw error;
    throw new TerminalError(
      'this cluster keeps no records of runs; `bravo init` installs their definition',
      'NotFound',
    );
  }
}

/**
 * The run that a verb is about: the one of that name, else the run of the Instance that is under way, else its last one.
 *
 * @throws TerminalError `NotFound`, `InvalidArguments`
 */
export async function findRun(
  session: ClusterSession,
  name: string | undefined,
  instance: string | undefined,
): Promise<PlanRun> {
  const { api, namespace } = session;
  if (name !== undefined) {
    const found = await api.get({ ...PLAN_RUNS, namespace, name });
    if (found !== undefined) return found as PlanRun;
    throw new TerminalError(`run ${namespace}/${name} does not exist; \`bravo run list\` names all`, 'NotFound');
  }
  if (instance === undefined) {
    throw new TerminalError('name a run, or choose an instance with --instance', 'InvalidArguments');
  }
  const runs = (await listRuns(session, namespace)).filter(({ spec }) => spec?.instanceName === instance);
  const found = runs.find(({ status }) => !isOver(status?.status)) ?? runs[0];
  if (found !== undefined) return found;
  throw new TerminalError(`instance ${namespace}/${instance} has no runs`, 'NotFound');
}

/** `namespace/name`. */
export function runPlace(run: PlanRun): string {
  return `${run.metadata.namespace ?? ''}/${nameOf(run)}`;
}
