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

/** How a person says which run a verb is about. */
export interface WantedRun {
  readonly name: string | undefined;
  /** `--instance` */
  readonly instance: string | undefined;
}

/**
 * The run that a verb is about: the one of that name, else the run of the Instance that is under way, else its last one.
 *
 * @throws TerminalError `NotFound`, `InvalidArguments`
 */
export async function findRun(session: ClusterSession, wanted: WantedRun): Promise<PlanRun> {
  if (wanted.name !== undefined) return readRun(session, wanted.name, wanted.instance);
  const runs = await runsOf(session, wanted.instance);
  const found = runs.find(isUnderWay) ?? runs[0];
  if (found !== undefined) return found;
  throw new TerminalError(`instance ${session.namespace}/${wanted.instance} has no runs`, 'NotFound');
}

/**
 * The run that a verb steers: the one of that name, else the run of the Instance that is under way.
 *
 * @throws TerminalError `NotFound`, `InvalidArguments`
 */
export async function findSteeredRun(session: ClusterSession, wanted: WantedRun): Promise<PlanRun> {
  if (wanted.name !== undefined) return readRun(session, wanted.name, wanted.instance);
  const found = (await runsOf(session, wanted.instance)).find(isUnderWay);
  if (found !== undefined) return found;
  throw new TerminalError(`no run of instance ${session.namespace}/${wanted.instance} is under way`, 'NotFound');
}

async function readRun(
  { api, namespace }: ClusterSession,
  name: string,
  instance: string | undefined,
): Promise<PlanRun> {
  const found = (await api.get({ ...PLAN_RUNS, namespace, name })) as PlanRun | undefined;
  if (found === undefined) {
    throw new TerminalError(`run ${namespace}/${name} does not exist; \`bravo run list\` names all`, 'NotFound');
  }
  const { instanceName = '' } = found.spec ?? {};
  if (instance === undefined || instance === instanceName) return found;
  throw new TerminalError(`run ${namespace}/${name} is of instance ${instanceName}, not ${instance}`, 'NotFound');
}

/** Newest first. */
async function runsOf(session: ClusterSession, instance: string | undefined): Promise<PlanRun[]> {
  if ((instance ?? '') === '') {
    throw new TerminalError('name a run, or choose an instance with --instance', 'InvalidArguments');
  }
  const runs = await listRuns(session, session.namespace);
  return runs.filter(({ spec }) => spec?.instanceName === instance);
}

function isUnderWay({ status }: PlanRun): boolean {
  return !isOver(status?.status);
}

/** `namespace/name`. */
export function runPlace(run: PlanRun): string {
  return `${run.metadata.namespace ?? ''}/${nameOf(run)}`;
}
