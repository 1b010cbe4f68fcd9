import { inInstallOrder } from '@/lib/kube/install-order';
import type { Task } from '@/lib/kudo/types';
import { WRITTEN_AT_ONCE } from './apply-all';
import type { TaskContext } from './context';
import { ReadAhead } from './read-ahead';
import { renderAhead } from './render-objects';

/**
 * Renders a task and reads what it will compare with, while the write that begins its step is under way; both would be done
 * right after it, one after the other. Nothing is written. What was read is the base of a guarded patch, so one that is out of
 * date by then costs a conflict and a second read. Whatever goes wrong here is met again, and told, when the task runs.
 */
export function prepareTask(task: Task, context: TaskContext): ReadAhead {
  const ahead = new ReadAhead(context.clock);
  if (task.kind === 'Apply') readAll(task, context, ahead).catch(() => undefined);
  return ahead;
}

async function readAll(task: Task, context: TaskContext, ahead: ReadAhead): Promise<void> {
  const { objects } = await renderAhead(task, context);
  // A first plan makes its objects without a look.
  if (context.isFirstPlan) return;
  for (const object of inInstallOrder(objects).slice(0, WRITTEN_AT_ONCE)) {
    const isKnown = context.kinds.known(object.apiVersion, object.kind) !== undefined;
    const target = isKnown ? await context.kinds.targetOf(object) : undefined;
    if (target !== undefined) ahead.put(object, context.api.get(target));
  }
}
