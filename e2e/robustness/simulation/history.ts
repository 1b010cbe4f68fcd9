import type { KubeObject } from '@/lib/kube/object';
import type { ExecutionStatus, Instance, OperatorVersion, PhaseStatus, PlanStatus, StepStatus } from '@/lib/kudo/types';
import type { ObjectEvent } from '@/server/sandbox/api';

const STARTED: ReadonlySet<ExecutionStatus | undefined> = new Set(['IN_PROGRESS', 'ERROR', 'COMPLETE', 'FATAL_ERROR']);
const ENDED: ReadonlySet<ExecutionStatus | undefined> = new Set(['COMPLETE', 'FATAL_ERROR']);
const EXECUTION = 'kudo.dev/last-plan-execution-uid';

/**
 * Watches a run event by event and notes what must never happen (the invariants of the robustness bar):
 *
 * - I3 once: an object that a plan only applies is created once under one execution;
 * - I4 order: no serial successor starts before its predecessor is COMPLETE;
 * - I5 no way back: within an execution a step never leaves COMPLETE, a plan never leaves its end.
 */
export class History {
  readonly violations: string[] = [];
  private readonly created = new Map<string, number>();
  private readonly last = new Map<string, PlanStatus>();

  constructor(private readonly operatorVersion: OperatorVersion) {}

  take({ type, object }: ObjectEvent): void {
    if (type === 'ADDED') this.noteCreation(object);
    if (object.kind === 'Instance' && type !== 'DELETED') this.noteInstance(object as Instance);
  }

  private noteCreation(object: KubeObject): void {
    const execution = object.metadata.annotations?.[EXECUTION];
    const { name = '' } = object.metadata;
    const isAppliedOnly = object.kind === 'Job' || /-(config|random)$/.test(name);
    if (execution === undefined || !isAppliedOnly) return;
    const key = `${object.kind}/${name} under ${execution}`;
    const count = (this.created.get(key) ?? 0) + 1;
    this.created.set(key, count);
    if (count > 1) this.violations.push(`I3: ${key} was created ${count} times`);
  }

  private noteInstance(instance: Instance): void {
    for (const [plan, status] of Object.entries(instance.status?.planStatus ?? {})) {
      const known = this.last.get(plan);
      if (known !== undefined && known.uid === status.uid) this.compare(plan, known, status);
      this.checkOrder(plan, status);
      this.last.set(plan, structuredClone(status));
    }
  }

  private compare(plan: string, before: PlanStatus, after: PlanStatus): void {
    if (ENDED.has(before.status) && before.status !== after.status) {
      this.violations.push(`I5: plan ${plan} went from ${before.status} to ${after.status}`);
    }
    const steps = stepsOf(after);
    for (const [path, step] of stepsOf(before)) {
      if (step.status === 'COMPLETE' && steps.get(path)?.status !== 'COMPLETE') {
        this.violations.push(`I5: step ${plan}.${path} went from COMPLETE to ${steps.get(path)?.status}`);
      }
    }
  }

  private checkOrder(plan: string, status: PlanStatus): void {
    const declared = this.operatorVersion.spec?.plans?.[plan];
    const phases = status.phases ?? [];
    if (declared?.strategy === 'serial') this.checkList(`${plan}`, phases);
    for (const phase of phases) {
      const strategy = declared?.phases?.find(({ name }) => name === phase.name)?.strategy;
      if (strategy === 'serial') this.checkList(`${plan}.${phase.name}`, phase.steps ?? []);
    }
  }

  private checkList(path: string, parts: readonly (PhaseStatus | StepStatus)[]): void {
    parts.forEach((part, index) => {
      const before = parts[index - 1];
      if (before !== undefined && STARTED.has(part.status) && before.status !== 'COMPLETE') {
        this.violations.push(`I4: ${path}.${part.name} is ${part.status} while ${before.name} is ${before.status}`);
      }
    });
  }
}

function stepsOf(status: PlanStatus): Map<string, StepStatus> {
  const steps = new Map<string, StepStatus>();
  for (const phase of status.phases ?? [])
    for (const step of phase.steps ?? []) steps.set(`${phase.name}.${step.name}`, step);
  return steps;
}
