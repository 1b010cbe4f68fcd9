import type { KubeObject } from '@/lib/kube/object';
import { EXECUTION_UID_ANNOTATION, PHASE_ANNOTATION, PLAN_ANNOTATION, STEP_ANNOTATION } from '@/lib/kudo/names';
import { isTerminal } from '@/lib/kudo/plan/status';
import type { Instance, OperatorVersion, PhaseStatus, PlanStatus, StepStatus } from '@/lib/kudo/types';
import type { ObjectEvent, SandboxApi } from '@/server/sandbox/api';
import { UnstoredSteps } from '../invariants/unstored-steps';

/** Kinds that the server or a person creates, any number of them. */
const UNCOUNTED: ReadonlySet<string> = new Set([
  'Event',
  'Endpoints',
  'EndpointSlice',
  'ServiceAccount',
  'ControllerRevision',
  // People ask again when nobody could see who asked.
  'PlanApproval',
]);
/** The server creates one in every namespace, before or after the watch of a witness starts. */
const OF_THE_NAMESPACE = 'kube-root-ca.crt';
/** The Secret of a run: written any number of times, deleted when the run is over. */
const RUN_MEMORY = /\.bravo-run$/;
/** Kinds that only the plan writes. */
const PLAIN: ReadonlySet<string> = new Set(['ConfigMap', 'Secret', 'Service']);

/**
 * Watches every change of one namespace in the order of the server, and records:
 *
 * - I3: how often each object was created, how often what only a plan writes was changed, and under how many uids each plan ran;
 * - I4: writes of a step's object while a serial predecessor of that step was not COMPLETE, nor may run again ({@link UnstoredSteps});
 * - I5: a step that left COMPLETE and a plan that left its terminal status, within one uid.
 */
export class Witness {
  readonly created = new Map<string, number>();
  readonly changed = new Map<string, number>();
  readonly problems: string[] = [];
  /** When the last change was seen, on the monotonic clock. */
  lastChangeMs = performance.now();
  private readonly runs = new Map<string, Set<string>>();
  private readonly last = new Map<string, PlanStatus>();
  private readonly unstored = new UnstoredSteps();
  private readonly stopWatch: () => void;

  constructor(
    private readonly api: SandboxApi,
    private readonly namespace: string,
  ) {
    this.stopWatch = api.watchAll((event) => {
      if (event.object.metadata.namespace === namespace) this.take(event);
    });
  }

  stop(): void {
    this.stopWatch();
  }

  /** Counts of `what` that are above those of the reference; creations also when they are below. */
  differencesFrom(reference: Witness): string[] {
    const found = [...this.problems];
    for (const key of new Set([...this.created.keys(), ...reference.created.keys()])) {
      const [is, was] = [this.created.get(key) ?? 0, reference.created.get(key) ?? 0];
      if (is !== was) found.push(`I3: ${key} was created ${is} times, without the crash ${was} times`);
    }
    for (const [key, is] of this.changed) {
      const was = reference.changed.get(key) ?? 0;
      if (is > was) found.push(`I3: ${key} was changed ${is} times, without the crash ${was} times`);
    }
    for (const [key, uids] of this.runs) {
      const was = reference.runs.get(key)?.size ?? 0;
      if (uids.size !== was) found.push(`I3: plan ${key} ran ${uids.size} times, without the crash ${was} times`);
    }
    return found;
  }

  private take({ type, object }: ObjectEvent): void {
    const { name = '' } = object.metadata;
    if (UNCOUNTED.has(object.kind) || RUN_MEMORY.test(name) || name === OF_THE_NAMESPACE) return;
    this.lastChangeMs = performance.now();
    const key = `${object.kind}/${stableName(object)}`;
    if (type === 'ADDED') this.created.set(key, (this.created.get(key) ?? 0) + 1);
    if (type === 'MODIFIED' && PLAIN.has(object.kind)) this.changed.set(key, (this.changed.get(key) ?? 0) + 1);
    if (type !== 'DELETED') this.checkOrder(object);
    if (object.kind === 'Instance' && type !== 'DELETED') this.noteInstance(object as Instance);
  }

  private noteInstance(instance: Instance): void {
    for (const [plan, status] of Object.entries(instance.status?.planStatus ?? {})) {
      const key = `${instance.metadata.name}/${plan}`;
      if (status.uid !== undefined && status.uid !== '') {
        this.runs.set(key, (this.runs.get(key) ?? new Set()).add(status.uid));
      }
      const before = this.last.get(key);
      if (before !== undefined && before.uid === status.uid) this.compare(key, before, status);
      this.last.set(key, status);
    }
  }

  private compare(key: string, before: PlanStatus, after: PlanStatus): void {
    if (isTerminal(before.status) && before.status !== after.status) {
      this.problems.push(`I5: plan ${key} went from ${before.status} to ${after.status}`);
    }
    for (const [phase, step, status] of stepsOf(before)) {
      const now = stepsOf(after).find(([p, s]) => p === phase && s === step)?.[2];
      if (status.status === 'COMPLETE' && now?.status !== 'COMPLETE') {
        this.problems.push(`I5: step ${key}.${phase}.${step} went from COMPLETE to ${now?.status}`);
      }
    }
  }

  /** An object with the annotations of a running step: the stored status must say that the steps before it are complete. */
  private checkOrder(object: KubeObject): void {
    const marks = object.metadata.annotations ?? {};
    const [plan, phase, step] = [marks[PLAN_ANNOTATION], marks[PHASE_ANNOTATION], marks[STEP_ANNOTATION]];
    const name = object.metadata.labels?.['kudo.dev/instance'];
    if (plan === undefined || phase === undefined || step === undefined || name === undefined) return;
    const instance = this.find('instances', name) as Instance | undefined;
    const status = instance?.status?.planStatus?.[plan];
    if (instance === undefined || status === undefined || status.uid !== marks[EXECUTION_UID_ANNOTATION]) return;
    const version = this.find('operatorversions', instance.spec?.operatorVersion?.name ?? '') as
      | OperatorVersion
      | undefined;
    this.unstored.note(object);
    const declared = version?.spec?.plans?.[plan];
    const phases = status.phases ?? [];
    const steps = phases.find((each) => each.name === phase)?.steps ?? [];
    const about = { uid: status.uid, plan, phase, version };
    const mayPhaseBeOver = (part: PhaseStatus) => this.unstored.mayPhaseBeOver(part, about);
    const mayStepBeOver = (part: StepStatus) => this.unstored.mayBeOver(part, about);
    const what = `${object.kind}/${object.metadata.name}`;
    if (declared?.strategy === 'serial')
      this.checkBefore(before(phases, phase, mayPhaseBeOver), phase, `${plan} of ${what}`);
    if (declared?.phases?.find((each) => each.name === phase)?.strategy === 'serial')
      this.checkBefore(before(steps, step, mayStepBeOver), step, `${plan}.${phase} of ${what}`);
  }

  private checkBefore(unfinished: readonly (PhaseStatus | StepStatus)[], name: string, what: string): void {
    for (const part of unfinished) {
      this.problems.push(`I4: ${name} of ${what} was written while ${part.name} was ${part.status}`);
    }
  }

  private find(resource: string, name: string): KubeObject | undefined {
    return this.api.get({ group: 'kudo.dev', version: 'v1beta1', resource, namespace: this.namespace, name });
  }
}

/** The parts of a serial list before one of them that are not over. */
function before<Part extends PhaseStatus | StepStatus>(
  parts: readonly Part[],
  name: string,
  mayBeOver: (part: Part) => boolean,
): Part[] {
  const index = parts.findIndex((part) => part.name === name);
  return parts.slice(0, Math.max(0, index)).filter((part) => part.status !== 'COMPLETE' && !mayBeOver(part));
}

/** The name, without the random part that the server generated. */
export function stableName(object: KubeObject): string {
  const { name = '', generateName } = object.metadata;
  return generateName === undefined || generateName === '' ? name : `${generateName}*`;
}

function stepsOf(status: PlanStatus): [string, string, StepStatus][] {
  return (status.phases ?? []).flatMap((phase) =>
    (phase.steps ?? []).map((step): [string, string, StepStatus] => [phase.name ?? '', step.name ?? '', step]),
  );
}
