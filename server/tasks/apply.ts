import { numberAt } from '@/lib/json/json';
import { conditionOf, hasCondition } from '@/lib/kube/conditions';
import { healthSentence } from '@/lib/kube/health/health';
import { podTrouble } from '@/lib/kube/health/pod';
import type { Health } from '@/lib/kube/health/verdict';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import { healthOf } from '@/lib/kudo/health/health';
import type { TaskOutcome, Wait } from '@/lib/kudo/plan/pass';
import type { Task } from '@/lib/kudo/types';
import { applyAll } from './apply-all';
import { definitionsFirst } from './apply-definitions';
import type { TaskContext } from './context';
import { creationFailure } from './creation-failure';
import { mountFailure } from './mount-failure';
import { renderOnce } from './render-objects';

/**
 * Apply: done when every object is there as rendered and healthy (engine 4.2). Objects are written in their order; but definitions
 * of kinds that the task itself uses come first, and the rest when the cluster serves them (KUDO ended the plan).
 */
export async function runApply(task: Task, context: TaskContext): Promise<TaskOutcome> {
  const { objects } = await renderOnce(task, context);
  const { definitions, missing } = await definitionsFirst(objects, context);
  if (missing.length > 0) return awaitDefinitions(await applyAll(definitions, context), missing, context);
  const results = await applyAll(objects, context);
  const outcome = outcomeOf(results, context);
  return outcome.state === 'waiting' ? outcomeOf(results, context, await failuresOf(results, context)) : outcome;
}

function awaitDefinitions(
  definitions: readonly KubeObject[],
  missing: readonly string[],
  context: TaskContext,
): TaskOutcome {
  const outcome = outcomeOf(definitions, context);
  if (outcome.state !== 'done') return outcome;
  return { state: 'waiting', messages: missing, waits: missing.map((what) => ({ what, sign: 'quiet' })) };
}

/** What only events say of objects that are waited for: why pods cannot be made, or hang before their first container. */
export async function failuresOf(
  objects: readonly KubeObject[],
  context: TaskContext,
): Promise<Map<KubeObject, string>> {
  const failures = new Map<KubeObject, string>();
  for (const object of objects) {
    if (healthOf(object, context.fingerprints).state === 'healthy') continue;
    const creation = await creationFailure(object, context);
    const failure = creation === undefined ? await mountFailure(object, context) : `pods cannot be made: ${creation}`;
    if (failure !== undefined) failures.set(object, failure);
  }
  return failures;
}

/**
 * Done, or what is waited for. The first object that is not healthy decides; only when that one failed for good is the
 * execution over (engine 4.2 step 5).
 */
export function outcomeOf(
  objects: readonly KubeObject[],
  context: Pick<TaskContext, 'podsOf' | 'fingerprints'>,
  failures: ReadonlyMap<KubeObject, string> = new Map(),
): TaskOutcome {
  const messages: string[] = [];
  const waits: Wait[] = [];
  for (const object of objects) {
    const health = healthOf(object, context.fingerprints);
    if (health.state === 'healthy') continue;
    const pods = context.podsOf(object);
    const failure = failures.get(object);
    const sentence = [healthSentence(object, health, pods), ...(failure === undefined ? [] : [failure])].join('; ');
    if (health.state === 'failed' && messages.length === 0 && isFinal(object)) {
      return { state: 'fatal', reason: 'FailedTerminalStateError', message: sentence };
    }
    messages.push(sentence);
    // What a pod says of itself changes by itself while it crashes; that is no movement.
    const what = object.kind === 'Pod' ? `Pod ${nameOf(object)}` : healthSentence(object, health);
    waits.push({ what, sign: failure === undefined ? signOf(object, health, pods) : 'trouble' });
  }
  return messages.length === 0 ? { state: 'done' } : { state: 'waiting', messages, waits };
}

/** Whether what is waited for is at work, in trouble, or neither to be seen. */
export function signOf(object: KubeObject, health: Health, pods: readonly KubeObject[]): Wait['sign'] {
  if (health.state === 'failed' || isStuck(object) || pods.some((pod) => podTrouble(pod) !== undefined))
    return 'trouble';
  if (object.kind === 'Pod') return podTrouble(object) === undefined ? 'quiet' : 'trouble';
  const works = object.kind === 'Job' && (numberAt(object.status, 'active') ?? 0) > 0;
  return works || object.kind === 'Instance' ? 'alive' : 'quiet';
}

/** By its own controller's word: a rollout past its deadline, pods that may not be made, a child's plan without progress. */
function isStuck(object: KubeObject): boolean {
  return (
    conditionOf(object, 'Progressing')?.reason === 'ProgressDeadlineExceeded' ||
    hasCondition(object, 'ReplicaFailure') ||
    (object.kind === 'Instance' && (hasCondition(object, 'Stalled') || isHeldUp(object)))
  );
}

/** A child that its controller cannot, or will not, act upon. */
function isHeldUp(child: KubeObject): boolean {
  const reason = conditionOf(child, 'Ready')?.reason;
  return reason === 'InvalidOperatorVersion' || reason === 'DependencyMissing' || reason === 'ChangeRefused';
}

/** Kinds whose failure nothing but a new object or plan mends; of others it is waited for a change. */
function isFinal(object: KubeObject): boolean {
  return object.kind === 'Job' || object.kind === 'Pod' || object.kind === 'Instance';
}
