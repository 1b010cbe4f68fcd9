import { nameOf, namespaceOf } from '@/lib/kube/object';
import { EXECUTION_UID_ANNOTATION, PHASE_ANNOTATION, STEP_ANNOTATION } from '@/lib/kudo/names';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import type { Instance, OperatorVersion, PlanStatus } from '@/lib/kudo/types';
import type { Invariant, StoreChange } from './fact';
import { nameIn } from './recorded-start';

/**
 * I19: a run that repeats a failed one begins where that one failed: steps that are complete at its begin were completed by the run that it
 * names, nothing has changed since, and their objects are not written by it.
 */
export const retries: Invariant = (report) => {
  const versions = new Map<string, OperatorVersion>();
  const uidByRun = new Map<string, string>();
  /** The steps that a retry found complete, by uid of its execution, as `phase/step`. */
  const keptBy = new Map<string, ReadonlySet<string>>();

  const checkBegin = (before: Instance, after: Instance): void => {
    const begin = retryThatBegins(before, after);
    if (begin === undefined) return;
    const { plan, uid, retryOf, isChanged } = begin;
    const failed = before.status?.planStatus?.[plan];
    const isNamed = failed?.status === 'FATAL_ERROR' && uidByRun.get(`${namespaceOf(after)}/${retryOf}`) === failed.uid;
    const done = completeSteps(isNamed && !isChanged ? failed : undefined);
    const version = versions.get(`${namespaceOf(after)}/${after.spec?.operatorVersion?.name ?? ''}`);
    const kept = [...completeSteps(after.status?.planStatus?.[plan])];
    for (const step of kept) {
      if (done.has(step) || !writesObjects(version, plan, step)) continue;
      report(
        `I19: plan ${plan} (${uid}) of Instance ${nameIn(after)} begins with step ${step} complete, which run ${retryOf} had not completed`,
      );
    }
    keptBy.set(uid, new Set(kept.filter((step) => done.has(step))));
  };
  const checkWrite = ({ object, before }: StoreChange): void => {
    const { [EXECUTION_UID_ANNOTATION]: uid = '' } = object.metadata.annotations ?? {};
    const { [PHASE_ANNOTATION]: phase, [STEP_ANNOTATION]: step } = object.metadata.annotations ?? {};
    const isNew = before?.metadata.annotations?.[EXECUTION_UID_ANNOTATION] !== uid;
    if (!isNew || keptBy.get(uid)?.has(`${phase}/${step}`) !== true) return;
    report(`I19: ${object.kind} ${nameOf(object)} was written by ${uid}, which found step ${phase}/${step} complete`);
  };
  return (fact) => {
    if (fact.fact !== 'change' || fact.type === 'DELETED') return;
    const { object, before } = fact;
    const key = `${namespaceOf(object)}/${nameOf(object)}`;
    if (object.kind === 'OperatorVersion') versions.set(key, object as OperatorVersion);
    else if (object.kind === 'PlanRun') uidByRun.set(key, (object as PlanRun).spec?.uid ?? '');
    else if (object.kind === 'Instance' && before !== undefined) checkBegin(before as Instance, object as Instance);
    else checkWrite(fact);
  };
};

/** The execution that repeats another one and whose first status this change stores. */
function retryThatBegins(before: Instance, after: Instance) {
  const { plan, uid, origin } = actedUpon(after) ?? {};
  if (plan === undefined || uid === undefined || origin?.retryOf === undefined) return undefined;
  const isBegin = after.status?.planStatus?.[plan]?.uid === uid && before.status?.planStatus?.[plan]?.uid !== uid;
  const isChanged = origin.changes !== undefined || origin.versionBefore !== undefined;
  return isBegin ? { plan, uid, retryOf: origin.retryOf, isChanged } : undefined;
}

function completeSteps(status: PlanStatus | undefined): ReadonlySet<string> {
  const steps = (status?.phases ?? []).flatMap((phase) =>
    (phase.steps ?? []).map((step) => ({ place: `${phase.name}/${step.name}`, status: step.status })),
  );
  return new Set(steps.filter((step) => step.status === 'COMPLETE').map(({ place }) => place));
}

/** False for a step that can be complete in the first status of its run: it has nothing to apply. */
function writesObjects(version: OperatorVersion | undefined, plan: string, place: string): boolean {
  const steps = (version?.spec?.plans?.[plan]?.phases ?? []).flatMap((phase) =>
    (phase.steps ?? []).map((step) => ({ place: `${phase.name}/${step.name}`, tasks: step.tasks ?? [] })),
  );
  const tasks = new Set(steps.find((step) => step.place === place)?.tasks ?? []);
  const kinds = (version?.spec?.tasks ?? []).filter(({ name }) => tasks.has(name ?? '')).map(({ kind }) => kind);
  return kinds.some((kind) => kind !== 'Dummy' && kind !== 'Delete');
}
