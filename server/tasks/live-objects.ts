import type { LiveObjects } from '@/lib/kudo/live-values/live-objects';
import { liveValuesOf } from '@/lib/kudo/live-values/live-values';
import type { TaskOutcome } from '@/lib/kudo/plan/pass';
import { RenderError } from '@/lib/kudo/rendering/render-error';
import type { Task } from '@/lib/kudo/types';
import { readLiveObjects } from '@/server/live-values/read-live-objects';
import type { TaskContext } from './context';

/** An object that the templates of a task read does not exist yet, or is not as the task needs it. */
export class MissingObjectError extends RenderError {
  constructor(readonly waits: readonly string[]) {
    super(waits.join('; '), 'ObjectMissing');
  }
}

/** The task waits; nothing of it is rendered before. */
export function missingObjectOutcome({ waits }: MissingObjectError): TaskOutcome {
  return { state: 'waiting', messages: [...waits], waits: waits.map((what) => ({ what, sign: 'quiet' })) };
}

/**
 * The objects that the templates of a task see; undefined when it reads none. A cleanup waits for nothing: what it reads may have been
 * deleted before, and is null then.
 *
 * @throws MissingObjectError while there is something to wait for
 * @throws RenderError `ObjectNotReadable`
 */
export async function liveObjectsOf(task: Task, context: TaskContext): Promise<LiveObjects | undefined> {
  const { reads } = liveValuesOf(context.operatorVersion, task.name);
  if (reads.length === 0) return undefined;
  const isCleanup = context.instance.metadata.deletionTimestamp !== undefined;
  const { objects, waits } = await readLiveObjects(reads, context);
  if (waits.length > 0 && !isCleanup) throw new MissingObjectError(waits);
  return { ...Object.fromEntries(reads.map(({ id }) => [id, null])), ...objects };
}
