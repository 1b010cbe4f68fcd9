import { inInstallOrder } from '@/lib/kube/install-order';
import type { Task } from '@/lib/kudo/types';
import { WRITTEN_AT_ONCE } from './apply-all';
import { isPatchedUnread } from './apply-object';
import type { TaskContext } from './context';
import { ReadAhead } from './read-ahead';
import { renderAhead } from './render-objects';

/**
 * Renders a task and reads the live objects while the write that begins its step is in flight; otherwise both would follow that
 * write. Objects that will be patched as they are known are not read. Nothing is written. The live objects are the base of guarded patches, so a stale one costs a conflict and a second read.
 * An error here occurs again, and is reported, when the task runs.
 */
export function prepareTask(task: Task, context: TaskContext): ReadAhead {
  const ahead = new ReadAhead(context.clock);
  if (task.kind === 'Apply') readAll(task, context, ahead).catch(() => undefined);
  return ahead;
}

async function readAll(task: Task, context: TaskContext, ahead: ReadAhead): Promise<void> {
  const { objects } = await renderAhead(task, context);
  // A first plan creates its objects without reading first.
  if (context.isFirstPlan) return;
  for (const object of inInstallOrder(objects).slice(0, WRITTEN_AT_ONCE)) {
    const isKnown = context.kinds.known(object.apiVersion, object.kind) !== undefined;
    const target = isKnown ? await context.kinds.targetOf(object) : undefined;
    if (target !== undefined && !isPatchedUnread({ target, object }, context))
      ahead.put(object, context.api.get(target));
  }
}
