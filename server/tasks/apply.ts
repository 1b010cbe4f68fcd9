import { healthSentence } from '@/lib/kube/health/health';
import type { KubeObject } from '@/lib/kube/object';
import { healthOf } from '@/lib/kudo/health/health';
import type { TaskOutcome } from '@/lib/kudo/plan/pass';
import type { Task } from '@/lib/kudo/types';
import { applyObject } from './apply-object';
import type { TaskContext } from './context';
import { renderOnce } from './render-objects';

/** Apply: done when every object is there as rendered and healthy (engine 4.2). Objects are written in their order. */
export async function runApply(task: Task, context: TaskContext): Promise<TaskOutcome> {
  const { objects } = await renderOnce(task, context);
  const results: KubeObject[] = [];
  for (const object of objects) results.push(await applyObject(object, context));
  return outcomeOf(results, context);
}

/**
 * Done, or what is waited for. The first object that is not healthy decides; only when that one failed for good is the
 * execution over (engine 4.2 step 5).
 */
export function outcomeOf(objects: readonly KubeObject[], context: Pick<TaskContext, 'podsOf'>): TaskOutcome {
  const messages: string[] = [];
  for (const object of objects) {
    const health = healthOf(object);
    if (health.state === 'healthy') continue;
    const sentence = healthSentence(object, health, context.podsOf(object));
    if (health.state === 'failed' && messages.length === 0 && isFinal(object)) {
      return { state: 'fatal', reason: 'FailedTerminalStateError', message: sentence };
    }
    messages.push(sentence);
  }
  return messages.length === 0 ? { state: 'done' } : { state: 'waiting', messages };
}

/** Kinds whose failure nothing but a new object or plan mends; of others it is waited for a change. */
function isFinal(object: KubeObject): boolean {
  return object.kind === 'Job' || object.kind === 'Pod' || object.kind === 'Instance';
}
