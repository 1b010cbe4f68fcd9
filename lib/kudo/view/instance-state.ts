import { healthyConditionOf } from '@/lib/kudo/health-checks/results';
import { CLEANUP_PLAN } from '@/lib/kudo/names';
import { heldDeletion } from '@/lib/kudo/plan/held-deletion';
import { isHoldMessage } from '@/lib/kudo/runs/steering';
import type { Instance } from '@/lib/kudo/types';
import { hasAcceptedEdit } from '@/lib/live/unseen-mark';
import { currentStep, type PlanView } from './plan-view';
import type { StatusKey } from './status-words';
import { statusWords } from './status-words';

/** The state of an Instance in one word, with its reason. */
export interface InstanceState {
  readonly key: StatusKey;
  readonly word: string;
  /** Why, short enough for a header or a table cell: `Deployment web: ImagePullBackOff`; empty when there is nothing to add. */
  readonly reason: string;
  /** The whole message behind the reason, for the one place that explains it; empty when there is nothing to add. */
  readonly detail: string;
  /** The tab of the Instance's page that explains it; its overview when absent. */
  readonly tab?: 'backups';
}

const runningWords: { readonly [plan: string]: string } = {
  deploy: 'Deploying',
  update: 'Updating',
  upgrade: 'Upgrading',
  backup: 'Backing up',
  restore: 'Restoring',
  [CLEANUP_PLAN]: 'Deleting',
};

/** The word for an Instance while a plan of that name runs. */
export function runningWord(plan: string): string {
  return runningWords[plan] ?? `Running ${plan}`;
}

/**
 * The state of an Instance: deleting, running, held, retrying or waiting in a plan, blocked, failed in its last plan, not ready, unhealthy by
 * its health checks, healthy. A missing
 * OperatorVersion (`hasVersion` false) comes before the result of the last plan, because no plan can run without it.
 */
export function instanceState(
  instance: Instance,
  plans: { readonly active: PlanView | undefined; readonly last: PlanView | undefined },
  hasVersion: boolean,
): InstanceState {
  const ready = instance.status?.conditions?.find((condition) => condition.type === 'Ready');
  const isDeleting = instance.metadata.deletionTimestamp !== undefined;
  const isWaiting = plans.active === undefined || ['PENDING', 'NEVER_RUN'].includes(plans.active.status);
  if (ready?.reason === 'DependencyMissing' && isWaiting && !isDeleting) {
    return stateOf('unhealthy', ready.message, 'Blocked');
  }
  if (plans.active !== undefined) return runningState(instance, plans.active);
  if (isDeleting) return deletingState(instance);
  if (ready?.reason === 'ChangeRefused') return stateOf('unhealthy', ready.message, 'Change refused');
  if (!hasVersion || ready?.reason === 'InvalidOperatorVersion') {
    return stateOf(
      'unhealthy',
      ready?.message || `OperatorVersion ${instance.spec?.operatorVersion?.name ?? ''} is missing`,
      'Blocked',
    );
  }
  // The result of the last plan says nothing about an edit that came after it.
  if (hasAcceptedEdit(instance)) return stateOf('PENDING', ACCEPTED, 'Starting');
  if (plans.last?.status === 'FATAL_ERROR') return failedState(plans.last);
  if (ready?.status === 'False') return stateOf('unhealthy', ready.message);
  if (plans.last === undefined) return stateOf('PENDING', 'waits for the controller');
  return stateOfChecks(instance) ?? stateOf('healthy', '');
}

/** The state of an Instance that is being deleted, while no plan runs. */
function deletingState(instance: Instance): InstanceState {
  const held = heldDeletion(instance);
  if (held === undefined) return stateOf('deleting', 'its objects are being deleted');
  return { key: 'FATAL_ERROR', word: 'Deletion waits', reason: held.reason, detail: held.message };
}

/** The state of an Instance of which only its health checks say something else than healthy. */
function stateOfChecks(instance: Instance): InstanceState | undefined {
  const { status = 'True', message = '' } = healthyConditionOf(instance) ?? {};
  if (status === 'True') return undefined;
  return status === 'False' ? stateOf('failing', message) : stateOf('unknown', message, 'Health unknown');
}

/** The state of a healthy Instance with `drifted` changed objects; other states are returned as they are. */
export function driftedState(known: InstanceState, drifted: number): InstanceState {
  if (drifted === 0 || known.key !== 'healthy') return known;
  return stateOf('drifted', drifted === 1 ? '1 object' : `${drifted} objects`);
}

const ACCEPTED = 'edit accepted, its plan starts soon';

function runningState(instance: Instance, plan: PlanView): InstanceState {
  if (plan.status === 'FATAL_ERROR') return failedState(plan);
  const current = currentStep(plan);
  const isDeleting = instance.metadata.deletionTimestamp !== undefined;
  if (isHoldMessage(plan.message)) return stateOf('paused', plan.message.replace(/^Paused /, ''));
  if (current?.step.status === 'ERROR') return stateOf('ERROR', `${plan.name}: ${plainMessage(current.step.message)}`);
  if (plan.status === 'PENDING' || plan.status === 'NEVER_RUN') {
    return stateOf(isDeleting ? 'deleting' : 'PENDING', `${plan.name} waits for the controller`);
  }
  const where = current === undefined ? '' : `${current.phase.name} / ${current.step.name}`;
  const message = plainMessage(current?.step.message ?? '');
  if (POD_TROUBLE.test(message) && !isDeleting) return stateOf('waiting', message);
  return stateOf(isDeleting ? 'deleting' : 'IN_PROGRESS', message === '' ? where : message, runningWord(plan.name));
}

function failedState(plan: PlanView): InstanceState {
  const current = currentStep(plan);
  const message = plainMessage([plan.message, current?.phase.message, current?.step.message].find(Boolean) ?? '');
  return stateOf('FATAL_ERROR', message === '' ? plan.name : `${plan.name}: ${message}`);
}

/** A state with its whole message; the reason is the short form of it. */
export function stateOf(key: StatusKey, detail: string, word = statusWords[key].word): InstanceState {
  return { key, word, reason: shortReason(detail), detail };
}

/** The cause at a pod, in a sentence of `healthSentence` (lib/kube/health/health.ts). */
const POD_TROUBLE = /; pod [^ ]+: ([^;]+)/;
/** The object of the sentence: the plan if it names one, the kind and the name. */
const SUBJECT = /^(?:[a-z0-9][a-z0-9.-]*: )?[A-Z][A-Za-z]* [a-z0-9][a-z0-9.-]*(?=: )/;
const LONGEST_REASON = 72;
/** The name of the check, which lists leave out: the text says enough. */
const HEALTH_CHECK = / \(health check [a-z0-9-]+\)/;

/** The first clause of a message; where pods are the cause, the object with the kubelet's reason instead. */
export function shortReason(message: string): string {
  const trouble = POD_TROUBLE.exec(message)?.[1];
  const subject = SUBJECT.exec(message)?.[0];
  const [clause = ''] = message.replace(HEALTH_CHECK, '').split('; ');
  const text = trouble === undefined || subject === undefined ? clause : `${subject}: ${reasonWord(trouble)}`;
  return text.length <= LONGEST_REASON ? text : `${text.slice(0, LONGEST_REASON - 1)}…`;
}

/** `Unschedulable` of `Unschedulable: 0/3 nodes are available`; a text without such a word stays as it is. */
function reasonWord(trouble: string): string {
  return /^[A-Z][A-Za-z]+(?=: )/.exec(trouble)?.[0] ?? trouble;
}

const FATAL_PREFIX = /^(?:Error during execution: )?(?:fatal error: )?\S+\/\S+ failed in \S+: /;
const TRANSIENT_PREFIX = /^A transient error when executing task \S+\. Will retry\. /;
const ENGINE_PREFIX = /^(?:Error during execution: )?\S+\/\S+ fatal error: +/;

/** A step's message without KUDO's introduction, which repeats the names of plan, phase, step and task. */
export function plainMessage(message: string): string {
  return message.replace(FATAL_PREFIX, '').replace(ENGINE_PREFIX, '').replace(TRANSIENT_PREFIX, '').trim();
}
