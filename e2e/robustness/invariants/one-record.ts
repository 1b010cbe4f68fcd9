import { isTerminal } from '@/lib/kudo/plan/status';
import { isOver, PLAN_RUNS, type PlanRun } from '@/lib/kudo/runs/plan-run';
import type { Instance } from '@/lib/kudo/types';
import type { Invariant } from './fact';

/** That its Instance is gone is noted later. */
function endOf(run: PlanRun | undefined): string {
  const { instanceGoneAt: _, ...status } = run?.status ?? {};
  return JSON.stringify(status);
}

/**
 * I14: an execution has at most one PlanRun, which says why it began; it is made before the execution ends, and one that is over does
 * not change any more. At rest every PlanRun of an Instance is over, as its execution ended.
 */
export const oneRecord: Invariant = (report) => {
  const nameByUid = new Map<string, string>();
  const openByInstance = new Map<string, Map<string, PlanRun>>();
  const see = (run: PlanRun, before: PlanRun | undefined) => {
    const { namespace = '', name = '' } = run.metadata;
    const { uid = '', instanceName = '', instanceUid = '' } = run.spec ?? {};
    const known = nameByUid.get(uid);
    if (known !== undefined && known !== `${namespace}/${name}`)
      report(`I14: ${name} and ${known} are records of one execution`);
    nameByUid.set(uid, `${namespace}/${name}`);
    if (run.spec?.cause === undefined) report(`I14: run ${name} does not say why it began`);
    if (isOver(before?.status?.status) && endOf(before) !== endOf(run)) {
      report(`I14: run ${name} changed after its end`);
    }
    const open = openByInstance.get(`${instanceUid} ${instanceName}`) ?? new Map<string, PlanRun>();
    if (isOver(run.status?.status)) open.delete(name);
    else open.set(name, run);
    openByInstance.set(`${instanceUid} ${instanceName}`, open);
  };
  const atRest = (instance: Instance) => {
    const { uid = '', name = '' } = instance.metadata;
    for (const [run] of openByInstance.get(`${uid} ${name}`) ?? [])
      report(`I14: run ${run} is open, and ${name} is at rest`);
    for (const [plan, status] of Object.entries(instance.status?.planStatus ?? {})) {
      if (!isTerminal(status.status) || (status.uid ?? '') === '') continue;
      if (!nameByUid.has(status.uid ?? '')) report(`I14: execution ${status.uid} of plan ${plan} has no record`);
    }
  };
  return (fact) => {
    const isRun = fact.fact === 'change' && fact.resource === `${PLAN_RUNS.group}/${PLAN_RUNS.resource}`;
    if (isRun && fact.type !== 'DELETED') see(fact.object as PlanRun, fact.before as PlanRun | undefined);
    if (fact.fact === 'rest') atRest(fact.instance as Instance);
  };
};
