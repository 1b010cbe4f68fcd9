import { numberAt } from '@/lib/json/json';
import { conditionByType, hasCondition } from '@/lib/kube/conditions';
import { healthSentence } from '@/lib/kube/health/health';
import { podTrouble } from '@/lib/kube/health/pod';
import type { Health } from '@/lib/kube/health/verdict';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import { healthOf } from '@/lib/kudo/health/health';
import type { RuleVerdict } from '@/lib/kudo/live-values/rule-expression';
import type { TaskOutcome, Wait } from '@/lib/kudo/plan/pass';
import type { Task } from '@/lib/kudo/types';
import { applyAll } from './apply-all';
import { definitionsFirst } from './apply-definitions';
import type { TaskContext } from './context';
import { creationFailure } from './creation-failure';
import { mountFailure } from './mount-failure';
import { renderOnce } from './render-objects';
import { ruleVerdicts } from './rule-verdicts';
import { awaitGrowth, withGrowth } from './volumes/await-growth';

/**
 * Apply: done when every object exists as rendered and is healthy. Definitions of kinds that the task itself uses are applied first,
 * and the rest when the cluster serves these kinds (KUDO ended the plan).
 */
export async function runApply(task: Task, context: TaskContext): Promise<TaskOutcome> {
  const rendered = await renderOnce(task, context);
  const { objects } = rendered;
  const { definitions, missing } = await definitionsFirst(objects, context);
  if (missing.length > 0) return awaitDefinitions(await applyAll(definitions, context), missing, context);
  const results = await applyAll(objects, context);
  const growth = await awaitGrowth(results, context);
  const verdicts = ruleVerdicts(task, { rendered, results }, context);
  const outcome = outcomeOf(results, context, { verdicts });
  if (outcome.state !== 'waiting') return withGrowth(outcome, growth);
  return withGrowth(outcomeOf(results, context, { verdicts, failures: await failuresOf(results, context) }), growth);
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

/** Why pods of unhealthy objects cannot be created, or do not start: only events say so. */
export async function failuresOf(
  objects: readonly KubeObject[],
  context: TaskContext,
): Promise<Map<KubeObject, string>> {
  const failures = new Map<KubeObject, string>();
  for (const object of objects) {
    if (healthOf(object, context.fingerprints).state === 'healthy') continue;
    const creation = await creationFailure(object, context);
    const failure =
      creation === undefined ? await mountFailure(object, context) : `pods cannot be created: ${creation}`;
    if (failure !== undefined) failures.set(object, failure);
  }
  return failures;
}

/** What is known of applied objects beside their own state. */
interface Known {
  /** Reasons from Events. */
  readonly failures?: ReadonlyMap<KubeObject, string>;
  /** What the rules of the task say; the health of its kind counts for an object that none is about. */
  readonly verdicts?: ReadonlyMap<KubeObject, RuleVerdict>;
}

/**
 * Done, or what the task waits for. The first unhealthy object decides: the execution ends only when that object failed for good,
 * whatever a rule says of it.
 */
export function outcomeOf(
  objects: readonly KubeObject[],
  context: Pick<TaskContext, 'podsOf' | 'fingerprints'>,
  { failures = new Map(), verdicts = new Map() }: Known = {},
): TaskOutcome {
  const messages: string[] = [];
  const waits: Wait[] = [];
  for (const object of objects) {
    const health = healthOf(object, context.fingerprints);
    const verdict = verdicts.get(object);
    const isFailed = health.state === 'failed' && isFinal(object);
    if (verdict !== undefined && !isFailed) {
      if (verdict === 'holds') continue;
      const what = `${object.kind} ${nameOf(object)}: ${verdict.why}`;
      messages.push(what);
      waits.push({ what, sign: 'quiet' });
      continue;
    }
    if (health.state === 'healthy') continue;
    const pods = context.podsOf(object);
    const failure = failures.get(object);
    const sentence = [healthSentence(object, health, pods), ...(failure === undefined ? [] : [failure])].join('; ');
    if (isFailed && messages.length === 0) {
      return { state: 'fatal', reason: 'FailedTerminalStateError', message: sentence };
    }
    messages.push(sentence);
    // The message of a crashing pod changes all the time; that is no progress.
    const what = object.kind === 'Pod' ? `Pod ${nameOf(object)}` : healthSentence(object, health);
    waits.push({ what, sign: failure === undefined ? signOf(object, health, pods) : 'trouble' });
  }
  return messages.length === 0 ? { state: 'done' } : { state: 'waiting', messages, waits };
}

/** Whether an unhealthy object works, is in trouble, or shows neither. */
export function signOf(object: KubeObject, health: Health, pods: readonly KubeObject[]): Wait['sign'] {
  if (health.state === 'failed' || isStuck(object) || pods.some((pod) => podTrouble(pod) !== undefined))
    return 'trouble';
  if (object.kind === 'Pod') return podTrouble(object) === undefined ? 'quiet' : 'trouble';
  const works = object.kind === 'Job' && (numberAt(object.status, 'active') ?? 0) > 0;
  return works || object.kind === 'Instance' ? 'alive' : 'quiet';
}

/** True when the object's own controller says so: a rollout past its deadline, pods that cannot be created, a stalled child. */
function isStuck(object: KubeObject): boolean {
  return (
    conditionByType(object, 'Progressing')?.reason === 'ProgressDeadlineExceeded' ||
    hasCondition(object, 'ReplicaFailure') ||
    (object.kind === 'Instance' && (hasCondition(object, 'Stalled') || isHeldUp(object)))
  );
}

/** True for a child Instance that its controller cannot, or will not, act upon. */
function isHeldUp(child: KubeObject): boolean {
  const reason = conditionByType(child, 'Ready')?.reason;
  return reason === 'InvalidOperatorVersion' || reason === 'DependencyMissing' || reason === 'ChangeRefused';
}

/** Kinds whose failure is final: only a new object or plan fixes it. Other kinds may recover. */
function isFinal(object: KubeObject): boolean {
  return object.kind === 'Job' || object.kind === 'Pod' || object.kind === 'Instance';
}
