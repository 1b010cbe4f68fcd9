import { type LiveInputs, neededInputs } from '@/lib/kudo/live-values/live-inputs';
import type { TaskOutcome } from '@/lib/kudo/plan/pass';
import { RenderError } from '@/lib/kudo/rendering/render-error';
import type { Task } from '@/lib/kudo/types';
import { readLiveInputs } from '@/server/live-values/read-live-inputs';
import type { TaskContext } from './context';

/** Something that the templates of a task read does not exist yet, or is not as the task needs it. */
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
 * What the templates of a task see of the cluster; undefined when that is nothing. A cleanup waits for nothing: what it reads may have been
 * deleted before, and is null then.
 *
 * @throws MissingObjectError while there is something to wait for
 * @throws RenderError `ObjectNotReadable`
 */
export async function liveInputsOf(task: Task, context: TaskContext): Promise<LiveInputs | undefined> {
  const needed = neededInputs(context.operatorVersion, task);
  if (needed === undefined) return undefined;
  const isCleanup = context.instance.metadata.deletionTimestamp !== undefined;
  const { inputs, waits } = await readLiveInputs(needed, context);
  if (waits.length > 0 && !isCleanup) throw new MissingObjectError(waits);
  const absent = <T>(names: readonly string[]) =>
    Object.fromEntries(names.map((name): [string, T | null] => [name, null]));
  return {
    objects: { ...absent(needed.reads.map(({ id }) => id)), ...inputs.objects },
    refs: { ...absent(needed.references.map(({ parameter }) => parameter)), ...inputs.refs },
  };
}
