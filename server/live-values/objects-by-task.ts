import type { LiveObjects } from '@/lib/kudo/live-values/live-objects';
import { liveValuesOf } from '@/lib/kudo/live-values/live-values';
import { tasksOf } from '@/lib/kudo/plan/status';
import { RenderError } from '@/lib/kudo/rendering/render-error';
import { type LiveReader, readLiveObjects } from './read-live-objects';

/**
 * The objects that the tasks of a plan read, for a preview; a sentence for a task that would wait or cannot read. Empty, without a request,
 * for a plan whose tasks read nothing.
 *
 * @throws TransientError when the API does not answer
 */
export async function objectsByTask(
  reader: LiveReader,
  plan: string,
): Promise<ReadonlyMap<string, LiveObjects | string>> {
  const { operatorVersion } = reader;
  const definition = operatorVersion.spec?.plans?.[plan] ?? {};
  const names = new Set(tasksOf(definition, operatorVersion.spec?.tasks ?? []).map(({ task }) => task.name));
  const found = new Map<string, LiveObjects | string>();
  for (const name of names) {
    const { reads } = liveValuesOf(operatorVersion, name);
    if (reads.length > 0) found.set(name, await readOrSay(reads, reader));
  }
  return found;
}

async function readOrSay(
  reads: Parameters<typeof readLiveObjects>[0],
  reader: LiveReader,
): Promise<LiveObjects | string> {
  try {
    const { objects, waits } = await readLiveObjects(reads, reader);
    return waits.length === 0 ? objects : waits.join('; ');
  } catch (error) {
    if (error instanceof RenderError) return error.message;
    throw error;
  }
}
