import type { StatusKey } from '@/components/ui/status-words';
import { statusWords } from '@/components/ui/status-words';
import { CLEANUP_PLAN } from '@/lib/kudo/names';
import type { Instance } from '@/lib/kudo/types';
import { hasAcceptedEdit } from '@/lib/live/unseen-mark';
import { currentStep, type PlanView } from './active-plan';

/** An Instance in one word and one sentence. */
export interface InstanceState {
  readonly key: StatusKey;
  readonly word: string;
  /** Why; the empty string when there is nothing to add. */
  readonly reason: string;
}

const runningWords: { readonly [plan: string]: string } = {
  deploy: 'Deploying',
  update: 'Updating',
  upgrade: 'Upgrading',
  backup: 'Backing up',
  restore: 'Restoring',
  [CLEANUP_PLAN]: 'Deleting',
};

/** What is said while a plan of that name runs. */
export function runningWord(plan: string): string {
  return runningWords[plan] ?? `Running ${plan}`;
}

/**
 * The state of an Instance: deleting, running, retrying or held up in a plan, failed in its last plan, not ready, healthy. A missing
 * OperatorVersion (`hasVersion` false) counts above all, because nothing runs without one.
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
    return state('unhealthy', ready.message, 'Blocked');
  }
  if (plans.active !== undefined) return runningState(instance, plans.active);
  if (isDeleting) return state('deleting', 'its objects are being removed');
  if (ready?.reason === 'ChangeRefused') return state('unhealthy', ready.message, 'Change refused');
  if (!hasVersion || ready?.reason === 'InvalidOperatorVersion') {
    return state(
      'unhealthy',
      ready?.message || `OperatorVersion ${instance.spec?.operatorVersion?.name ?? ''} is missing`,
      'Blocked',
    );
  }
  // What ended says nothing of an edit that came after it.
  if (hasAcceptedEdit(instance)) return state('PENDING', ACCEPTED, 'Starting');
  if (plans.last?.status === 'FATAL_ERROR') return failedState(plans.last);
  if (ready?.status === 'False') return state('unhealthy', ready.message);
  if (plans.last === undefined) return state('PENDING', 'waits for the controller');
  return state('healthy', '');
}

/** Of an Instance that is well otherwise, that objects are not as its last plan left them. */
export function driftedState(known: InstanceState, drifted: number): InstanceState {
  if (drifted === 0 || known.key !== 'healthy') return known;
  return state('drifted', drifted === 1 ? '1 object' : `${drifted} objects`);
}

const ACCEPTED = 'the edit was accepted; its plan is about to start';

function runningState(instance: Instance, plan: PlanView): InstanceState {
  if (plan.status === 'FATAL_ERROR') return failedState(plan);
  const current = currentStep(plan);
  const isDeleting = instance.metadata.deletionTimestamp !== undefined;
  if (current?.step.status === 'ERROR') return state('ERROR', `${plan.name}: ${plainMessage(current.step.message)}`);
  if (plan.status === 'PENDING' || plan.status === 'NEVER_RUN') {
    return state(isDeleting ? 'deleting' : 'PENDING', `${plan.name} waits for the controller`);
  }
  const where = current === undefined ? '' : `${current.phase.name} / ${current.step.name}`;
  const message = plainMessage(current?.step.message ?? '');
  const trouble = POD_TROUBLE.exec(message)?.[1];
  if (trouble !== undefined && !isDeleting) return state('waiting', trouble);
  return state(isDeleting ? 'deleting' : 'IN_PROGRESS', message === '' ? where : message, runningWord(plan.name));
}

function failedState(plan: PlanView): InstanceState {
  const current = currentStep(plan);
  const message = plainMessage([plan.message, current?.phase.message, current?.step.message].find(Boolean) ?? '');
  return state('FATAL_ERROR', message === '' ? plan.name : `${plan.name}: ${message}`);
}

function state(key: StatusKey, reason: string, word = statusWords[key].word): InstanceState {
  return { key, word, reason };
}

/** The first pod that keeps a step back for a reason that does not pass by itself (lib/kube/health, healthSentence). */
const POD_TROUBLE = /; (pod [^ ]+: [^;]+)/;

const FATAL_PREFIX = /^(?:Error during execution: )?(?:fatal error: )?\S+\/\S+ failed in \S+: /;
const TRANSIENT_PREFIX = /^A transient error when executing task \S+\. Will retry\. /;
const ENGINE_PREFIX = /^(?:Error during execution: )?\S+\/\S+ fatal error: +/;

/** A step's message without the engine's introduction, which repeats what stands around it. */
export function plainMessage(message: string): string {
  return message.replace(FATAL_PREFIX, '').replace(ENGINE_PREFIX, '').replace(TRANSIENT_PREFIX, '').trim();
}
