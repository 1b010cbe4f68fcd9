import { TerminalError } from '@/lib/errors/errors';
import { controllerOf, type KubeObject, nameOf } from '@/lib/kube/object';
import type { TaskOutcome } from '@/lib/kudo/plan/pass';
import type { Task } from '@/lib/kudo/types';
import type { TaskContext } from './context';
import { renderOnce } from './render-objects';

/**
 * Delete: done when no object exists any more. Objects of kinds that the cluster does not serve do not exist.
 * What another controller owns is not deleted: TerminalError `NotOwned` (KUDO deleted it, T-31).
 */
export async function runDelete(task: Task, context: TaskContext): Promise<TaskOutcome> {
  const { objects } = await renderOnce(task, context, { skipUnknownKinds: true });
  const messages: string[] = [];
  for (const object of objects) {
    const waiting = await deleteObject(object, context);
    if (waiting !== undefined) messages.push(waiting);
  }
  return messages.length === 0 ? { state: 'done' } : { state: 'waiting', messages };
}

/** A sentence about an object that still exists; undefined when it does not. */
async function deleteObject(object: KubeObject, context: TaskContext): Promise<string | undefined> {
  const target = await context.kinds.targetOf(object);
  if (target === undefined) return undefined;
  const live = await context.api.get(target);
  if (live === undefined) return undefined;
  if ((live.metadata.deletionTimestamp ?? '') === '') {
    checkOwner(live, context);
    context.written?.forget(object);
    await context.api.delete(target, { propagation: 'Foreground', uid: live.metadata.uid });
    context.memory.touched?.note(context, object, 'deleted');
  }
  const rest = await context.api.get(target);
  if (rest === undefined) return undefined;
  const held = (rest.metadata.finalizers ?? []).filter((finalizer) => finalizer !== 'foregroundDeletion');
  const why = held.length === 0 ? '' : ` (held by ${held.join(', ')})`;
  return `${rest.kind} ${nameOf(rest)}: is being deleted${why}`;
}

function checkOwner(live: KubeObject, context: TaskContext): void {
  const owner = controllerOf(live);
  if (owner === undefined || owner.uid === context.instance.metadata.uid) return;
  throw new TerminalError(
    `${live.kind} ${nameOf(live)} belongs to ${owner.kind} ${owner.name} and is not deleted.`,
    'NotOwned',
  );
}
