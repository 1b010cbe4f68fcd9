import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { topics } from '@/lib/live/topic';
import type { Api } from '@/server/kube/api';

const MOST_BYTES = 16 * 1024;

/** The last lines of a container's log, at most 16 KiB. */
export async function tailLog(
  api: Api,
  options: { pod: KubeObject; container: string; lines: number; signal: AbortSignal | undefined },
): Promise<string[]> {
  const { pod, container, lines, signal } = options;
  const chunks: Uint8Array[] = [];
  let size = 0;
  const target = { ...topics.pods(namespaceOf(pod)), name: nameOf(pod) };
  for await (const chunk of api.log(target, { container, tailLines: lines, signal })) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MOST_BYTES) break;
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(-MOST_BYTES));
  return text.split('\n').filter((line) => line !== '');
}
