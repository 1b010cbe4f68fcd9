import { arrayAt, stringAt } from '@/lib/json/json';
import { formatApiVersion, type GroupVersionResource, type KubeObject, nameOf } from '@/lib/kube/object';
import type { Bundle } from './bundle';
import type { DiagnosticsSource } from './source';

/** What collecting needs. */
export interface DiagnosticsContext {
  readonly session: DiagnosticsSource;
  readonly bundle: Bundle;
  /** How far logs go back; undefined: all of them. */
  readonly sinceSeconds: number | undefined;
  /** The most that is kept of one log, its end; absent: its beginning, up to 64 MiB. */
  readonly maxLogBytes?: number;
}

/** Which objects of a kind. */
export interface Selection {
  /** In small letters; names the file. */
  readonly kind: string;
  readonly target: GroupVersionResource & { readonly namespace?: string };
  /** The empty text: all objects. */
  readonly labelSelector: string;
  /** A further condition; all objects when absent. */
  readonly isWanted?: (object: KubeObject) => boolean;
  /** What is written of each; all of it when absent. */
  readonly shown?: (object: KubeObject) => KubeObject;
}

/** The largest log that is kept of one container. */
const MAX_LOG_BYTES = 64 * 1024 * 1024;
/** So many lines of this length are asked for that the limit is reached by the longer ones. */
const SHORT_LINE_BYTES = 64;

/** Writes the list of a kind to `KINDlist.yaml`, or to `KIND.err` why it cannot be read; nothing when there are none. */
export async function collectList(
  context: DiagnosticsContext,
  folder: string,
  wanted: Selection,
): Promise<KubeObject[]> {
  const items = await listOf(context, folder, wanted);
  if (items.length === 0) return [];
  const { group, version } = wanted.target;
  const { shown = (object: KubeObject) => object } = wanted;
  const kind = `${items[0]?.kind ?? ''}List`;
  const list = { apiVersion: formatApiVersion(group, version), kind, items: items.map(shown) };
  await context.bundle.writeYaml(`${folder}/${wanted.kind}list.yaml`, list);
  return items;
}

/** Writes each pod with the logs of its containers, and returns the pods. */
export async function collectPods(
  context: DiagnosticsContext,
  folder: string,
  selection: Omit<Selection, 'kind'>,
): Promise<KubeObject[]> {
  const { session, bundle } = context;
  const pods = await listOf(context, folder, { kind: 'pod', ...selection });
  for (const pod of pods) {
    const place = `${folder}/pod_${nameOf(pod)}`;
    await bundle.writeYaml(`${place}/${nameOf(pod)}.yaml`, pod);
    for (const container of arrayAt(pod, 'spec', 'containers')) {
      const name = stringAt(container, 'name') ?? '';
      try {
        await bundle.writeLog(`${place}/${name}.log.gz`, await readLog(context, pod, name));
      } catch (error) {
        await bundle.writeError(`${place}/${name}.log.err`, error);
      }
    }
  }
  if (pods.length > 0) session.printLine(`Collect Logs for ${pods.length} pods`);
  return pods;
}

async function listOf(
  { session, bundle }: DiagnosticsContext,
  folder: string,
  wanted: Selection,
): Promise<KubeObject[]> {
  const { kind, target, labelSelector, isWanted = () => true } = wanted;
  try {
    return (await session.api.list(target, { labelSelector })).items.filter(isWanted);
  } catch (error) {
    await bundle.writeError(`${folder}/${kind}.err`, error);
    return [];
  }
}

async function readLog(
  { session, sinceSeconds, maxLogBytes }: DiagnosticsContext,
  pod: KubeObject,
  container: string,
): Promise<Uint8Array> {
  const query = new URLSearchParams({ container });
  if (sinceSeconds !== undefined) query.set('sinceSeconds', String(sinceSeconds));
  if (maxLogBytes !== undefined) query.set('tailLines', String(Math.ceil(maxLogBytes / SHORT_LINE_BYTES)));
  const path = `/api/v1/namespaces/${pod.metadata.namespace}/pods/${nameOf(pod)}/log?${query}`;
  const { status, body } = await session.api.raw({ method: 'GET', path });
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MAX_LOG_BYTES) break;
    chunks.push(chunk);
  }
  const all = Buffer.concat(chunks);
  const log = maxLogBytes === undefined ? all : all.subarray(-maxLogBytes);
  if (status === 200) return log;
  throw new Error(`status ${status}: ${log.toString('utf8').slice(0, 500)}`);
}
