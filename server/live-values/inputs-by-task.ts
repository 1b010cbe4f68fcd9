import { type LiveInputs, type NeededInputs, neededInputs } from '@/lib/kudo/live-values/live-inputs';
import { tasksOf } from '@/lib/kudo/plan/status';
import { RenderError } from '@/lib/kudo/rendering/render-error';
import { type InputReader, readLiveInputs } from './read-live-inputs';

/**
 * What the tasks of a plan see of the cluster, for a preview; a sentence for a task that would wait or cannot read. Empty, without a request,
 * for a plan whose tasks read nothing.
 *
 * @throws TransientError when the API does not answer
 */
export async function inputsByTask(
  reader: InputReader,
  plan: string,
): Promise<ReadonlyMap<string, LiveInputs | string>> {
  const { operatorVersion } = reader;
  const definition = operatorVersion.spec?.plans?.[plan] ?? {};
  const found = new Map<string, LiveInputs | string>();
  for (const { task } of tasksOf(definition, operatorVersion.spec?.tasks ?? [])) {
    const needed = found.has(task.name) ? undefined : neededInputs(operatorVersion, task);
    if (needed !== undefined) found.set(task.name, await readOrSay(needed, reader));
  }
  return found;
}

async function readOrSay(needed: NeededInputs, reader: InputReader): Promise<LiveInputs | string> {
  try {
    const { inputs, waits } = await readLiveInputs(needed, reader);
    return waits.length === 0 ? inputs : waits.join('; ');
  } catch (error) {
    if (error instanceof RenderError) return error.message;
    throw error;
  }
}
