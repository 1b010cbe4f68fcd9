import { arrayAt, stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import type { Target } from '@/server/kube/api';
import type { Session } from '../support/session';
import type { Bundle } from './bundle';

/** What collecting needs. */
export interface Collection {
  readonly session: Session;
  readonly bundle: Bundle;
  /** How far logs go back; undefined: all of them. */
  readonly sinceSeconds: number | undefined;
}

/** Which objects of a kind; the kind in small letters names its file. */
export interface Selection {
  readonly kind: string;
  readonly target: Target;
  readonly labelSelector: string;
}

/** The largest log that is kept of one container. */
const MOST_LOG_BYTES = 64 * 1024 * 1024;

/** Writes the list of a kind, or why it could not be read; nothing when there are none (KUDO diagnostics, section 5). */
export async function collectList({ session, bundle }: Collection, folder: string, wanted: Selection): Promise<void> {
  const items = await listOf(session, bundle, folder, wanted);
  if (items.length === 0) return;
  const apiVersion = [wanted.target.group, wanted.target.version].filter((part) => part !== '').join('/');
  const list = { apiVersion, kind: `${items[0]?.kind ?? ''}List`, items };
  await bundle.writeYaml(`${folder}/${wanted.kind}list.yaml`, list);
}

/** Writes each pod with the logs of its containers; gives how many pods there were. */
export async function collectPods(collection: Collection, folder: string, selection: Omit<Selection, 'kind'>) {
  const { session, bundle } = collection;
  const pods = await listOf(session, bundle, folder, { kind: 'pod', ...selection });
  for (const pod of pods) {
    const place = `${folder}/pod_${nameOf(pod)}`;
    await bundle.writeYaml(`${place}/${nameOf(pod)}.yaml`, pod);
    for (const container of arrayAt(pod, 'spec', 'containers')) {
      const name = stringAt(container, 'name') ?? '';
      try {
        await bundle.writeLog(`${place}/${name}.log.gz`, await readLog(collection, pod, name));
      } catch (error) {
        await bundle.writeError(`${place}/${name}.log.err`, error);
      }
    }
  }
  if (pods.length > 0) session.print(`Collect Logs for ${pods.length} pods`);
}

async function listOf(session: Session, bundle: Bundle, folder: string, wanted: Selection): Promise<KubeObject[]> {
  const { kind, target, labelSelector } = wanted;
  try {
    return (await session.api.list(target, { labelSelector })).items;
  } catch (error) {
    await bundle.writeError(`${folder}/${kind}.err`, error);
    return [];
  }
}

async function readLog({ session, sinceSeconds }: Collection, pod: KubeObject, container: string): Promise<Uint8Array> {
  const query = new URLSearchParams({ container });
  if (sinceSeconds !== undefined) query.set('sinceSeconds', String(sinceSeconds));
  const path = `/api/v1/namespaces/${pod.metadata.namespace}/pods/${nameOf(pod)}/log?${query}`;
  const { status, body } = await session.api.raw({ method: 'GET', path });
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MOST_LOG_BYTES) break;
    chunks.push(chunk);
  }
  const log = Buffer.concat(chunks);
  if (status === 200) return log;
  throw new Error(`status ${status}: ${log.toString('utf8').slice(0, 500)}`);
}
