import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { controllerOfKind } from '@/lib/kube/owners';
import { EXECUTION_UID_ANNOTATION, PHASE_ANNOTATION, PLAN_ANNOTATION, STEP_ANNOTATION } from '@/lib/kudo/names';
import type { ExecutionStatus, Instance, OperatorVersion, PhaseStatus, StepStatus } from '@/lib/kudo/types';
import type { Invariant, StoreChange } from './fact';
import { UnstoredSteps } from './unstored-steps';

const STARTED: ReadonlySet<ExecutionStatus | undefined> = new Set(['IN_PROGRESS', 'ERROR', 'COMPLETE', 'FATAL_ERROR']);

/**
 * I4: in a serial list no step or phase starts before the one before it is COMPLETE in the status, and no object of it is written
 * before that COMPLETE is stored, unless the step before may run again at any time ({@link UnstoredSteps}). The annotations of an
 * object say which step wrote it.
 */
export const planOrder: Invariant = (report) => {
  const versions = new Map<string, OperatorVersion>();
  const instances = new Map<string, Instance>();
  const unstored = new UnstoredSteps();
  const strategiesOf = (instance: Instance, plan: string) => {
    const version = versions.get(`${namespaceOf(instance)}/${instance.spec?.operatorVersion?.name ?? ''}`);
    const declared = version?.spec?.plans?.[plan];
    return {
      version,
      phases: declared?.strategy,
      steps: (phase: string | undefined) => declared?.phases?.find(({ name }) => name === phase)?.strategy,
    };
  };
  const checkList = (path: string, parts: readonly (PhaseStatus | StepStatus)[]): void => {
    parts.forEach((part, index) => {
      const before = parts[index - 1];
      if (before === undefined || !STARTED.has(part.status) || before.status === 'COMPLETE') return;
      report(`I4: ${path}.${part.name} is ${part.status} while ${before.name} is ${before.status}`);
    });
  };
  const checkInstance = (instance: Instance): void => {
    for (const [plan, status] of Object.entries(instance.status?.planStatus ?? {})) {
      const strategies = strategiesOf(instance, plan);
      const path = `${nameOf(instance)}.${plan}`;
      if (strategies.phases === 'serial') checkList(path, status.phases ?? []);
      for (const phase of status.phases ?? []) {
        if (strategies.steps(phase.name) === 'serial') checkList(`${path}.${phase.name}`, phase.steps ?? []);
      }
    }
  };
  const checkWrite = ({ object, before }: StoreChange): void => {
    const place = placeOf(object);
    const instance = place === undefined ? undefined : instances.get(place.instance);
    if (place === undefined || instance === undefined || isSame(place, before)) return;
    unstored.note(object);
    const status = instance.status?.planStatus?.[place.plan];
    if (status?.uid !== place.uid) return;
    const strategies = strategiesOf(instance, place.plan);
    const phases = status.phases ?? [];
    const steps = phases.find(({ name }) => name === place.phase)?.steps ?? [];
    const about = { ...place, version: strategies.version };
    const pending = [
      ...(strategies.phases === 'serial' ? unfinishedBefore(phases, place.phase) : []).filter(
        (phase) => !unstored.mayPhaseBeOver(phase, about),
      ),
      ...(strategies.steps(place.phase) === 'serial' ? unfinishedBefore(steps, place.step) : []).filter(
        (step) => !unstored.mayBeOver(step, about),
      ),
    ].map(({ name }) => name);
    if (pending.length > 0)
      report(
        `I4: ${object.kind} ${nameOf(object)} of ${place.phase}.${place.step} was written before ${pending} was over`,
      );
  };
  return (fact) => {
    if (fact.fact !== 'change' || fact.type === 'DELETED') return;
    const { object } = fact;
    const key = `${namespaceOf(object)}/${nameOf(object)}`;
    if (object.kind === 'OperatorVersion') versions.set(key, object as OperatorVersion);
    else if (object.kind === 'Instance') {
      instances.set(key, object as Instance);
      checkInstance(object as Instance);
    }
    checkWrite(fact);
  };
};

interface Place {
  readonly instance: string;
  readonly uid: string;
  readonly plan: string;
  readonly phase: string;
  readonly step: string;
}

/** Which step wrote an object last; undefined for an object that no plan wrote. */
function placeOf(object: KubeObject): Place | undefined {
  const owner = controllerOfKind(object, 'kudo.dev', 'Instance');
  const marks = object.metadata.annotations ?? {};
  const uid = marks[EXECUTION_UID_ANNOTATION];
  if (owner === undefined || uid === undefined) return undefined;
  const { [PLAN_ANNOTATION]: plan = '', [PHASE_ANNOTATION]: phase = '', [STEP_ANNOTATION]: step = '' } = marks;
  return { instance: `${namespaceOf(object)}/${owner.name}`, uid, plan, phase, step };
}

/** The step did not write this change: the annotations are those of before (a controller wrote a status). */
function isSame(place: Place, before: KubeObject | undefined): boolean {
  const was = before === undefined ? undefined : placeOf(before);
  return was?.uid === place.uid && was.phase === place.phase && was.step === place.step;
}

function unfinishedBefore<Part extends PhaseStatus | StepStatus>(parts: readonly Part[], name: string): Part[] {
  const index = parts.findIndex((part) => part.name === name);
  return parts.slice(0, Math.max(0, index)).filter(({ status }) => status !== 'COMPLETE');
}
