import type { LiveInputs, NeededInputs } from '@/lib/kudo/live-values/live-inputs';
import type { Api } from '@/server/kube/api';
import { type LiveReader, readLiveObjects } from './read-live-objects';
import { readReferences } from './read-references';

export interface InputReader extends Omit<LiveReader, 'api'> {
  readonly api: Pick<Api, 'get' | 'list'>;
}

/**
 * Reads what the templates of a task see of the cluster.
 *
 * @throws RenderError `ObjectNotReadable` for what no wait makes readable
 * @throws TransientError when the API does not answer
 */
export async function readLiveInputs(
  { reads, references }: NeededInputs,
  reader: InputReader,
): Promise<{ readonly inputs: LiveInputs; readonly waits: readonly string[] }> {
  const [read, referred] = await Promise.all([readLiveObjects(reads, reader), readReferences(references, reader)]);
  const inputs = { objects: read.objects, refs: referred.refs };
  return { inputs, waits: [...read.waits, ...referred.waits] };
}
