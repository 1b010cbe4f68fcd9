import type { KubeObject } from '@/lib/kube/object';
import { nameOf } from '@/lib/kube/object';
import { INSTANCE_LABEL } from '@/lib/kudo/names';
import { heldDeletion } from '@/lib/kudo/plan/held-deletion';
import { latestPlan } from '@/lib/kudo/plan/latest-plan';
import { isDeleting, scheduledPlan } from '@/lib/kudo/plan/scheduled';
import { failedStepOf } from '@/lib/kudo/runs/failed-step';
import type { Instance } from '@/lib/kudo/types';
import type { BrokenRule, JudgedRules } from './judge-rules';
import { compatibleCondition, condition, type OwnCondition, type OwnState } from './own-status';
import type { OwnKind } from './types';

/** Pods that the Instance's workloads want, and that are ready. */
export interface Replicas {
  readonly replicas: number;
  readonly readyReplicas: number;
}

export interface OwnInstanceFacts {
  readonly resource: KubeObject;
  readonly kind: OwnKind;
  /** Undefined when there is none, or when it belongs to somebody else. */
  readonly instance: Instance | undefined;
  readonly replicas: Replicas;
  readonly rules: JudgedRules;
  /** Why the Instance is not brought in line with the resource. */
  readonly problem: BrokenRule | undefined;
  /** True while the Instance has an edit whose plan has not begun. */
  readonly hasUnseenEdit?: boolean;
}

/** What a resource with an Instance says: phase, conditions, replicas, the plan that runs. */
export function stateOfInstance(facts: OwnInstanceFacts): OwnState {
  const { resource, kind, instance, replicas, rules, problem } = facts;
  const deletes = (resource.metadata.deletionTimestamp ?? '') !== '';
  const synced =
    problem === undefined
      ? condition('Synced', 'True', { reason: 'InSync', message: '' })
      : condition('Synced', 'False', problem);
  const compatible = compatibleCondition(kind, rules.noted);
  if (instance === undefined) {
    const why = problem ?? { reason: 'Creating', message: 'The Instance is being created.' };
    const ready = condition('Ready', 'False', why);
    const phase = deletes ? 'Deleting' : 'Pending';
    return { phase, message: problem?.message ?? '', conditions: [ready, synced, ...compatible] };
  }
  const running = scheduledPlan(instance)?.plan;
  const { phase, message } = phaseOf(instance, running, facts.hasUnseenEdit === true);
  return {
    phase: deletes ? 'Deleting' : phase,
    message: problem?.message ?? message,
    instance: nameOf(instance),
    operatorVersion: instance.spec?.operatorVersion?.name,
    plan: running,
    ...replicas,
    selector: `${INSTANCE_LABEL}=${nameOf(instance)}`,
    conditions: [readyOf(instance, phase, message), synced, ...compatible, ...copied(instance, 'Healthy')],
  };
}

function phaseOf(
  instance: Instance,
  running: string | undefined,
  hasUnseenEdit: boolean,
): { phase: string; message: string } {
  if (isDeleting(instance)) return { phase: 'Deleting', message: heldDeletion(instance)?.message ?? '' };
  const latest = latestPlan(instance);
  const isFailed = latest?.status.status === 'FATAL_ERROR';
  if (running !== undefined && !(isFailed && latest.name === running)) {
    const isFirst = instance.status?.planStatus?.deploy?.status !== 'COMPLETE' && running === 'deploy';
    return { phase: isFirst ? 'Creating' : 'Updating', message: '' };
  }
  if (latest !== undefined && hasUnseenEdit) return { phase: 'Updating', message: '' };
  if (isFailed) {
    const why = failedStepOf(latest.name, latest.status)?.message ?? '';
    return { phase: 'Failed', message: `Plan ${latest.name} failed. ${why}`.trim() };
  }
  if (latest === undefined) return { phase: 'Creating', message: '' };
  const ready = instance.status?.conditions?.find(({ type }) => type === 'Ready');
  return ready?.status === 'False' ? { phase: 'Degraded', message: ready.message } : { phase: 'Running', message: '' };
}

/** `Ready` as the Instance says; while the first plan runs, and after one failed, it is not. */
function readyOf(instance: Instance, phase: string, message: string): OwnCondition {
  const [own] = copied(instance, 'Ready');
  if (phase === 'Failed') return condition('Ready', 'False', { reason: 'PlanFailed', message });
  if (phase === 'Creating')
    return condition('Ready', 'False', { reason: 'Creating', message: 'The first plan is not complete.' });
  // What it says is of the time before the edit.
  if (phase === 'Updating' && own?.status === 'True') {
    return condition('Ready', 'Unknown', {
      reason: 'Updating',
      message: 'The Instance was edited, and its plan is not complete.',
    });
  }
  return (
    own ?? condition('Ready', 'Unknown', { reason: 'Unknown', message: 'The Instance has no condition Ready yet.' })
  );
}

function copied(instance: Instance, wanted: string): OwnCondition[] {
  const found = instance.status?.conditions?.find(({ type }) => type === wanted);
  return found === undefined ? [] : [condition(wanted, found.status, found)];
}
