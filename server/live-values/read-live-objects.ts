import type { JsonObject } from '@/lib/json/json';
import { type KubeObject, namespaceOf } from '@/lib/kube/object';
import {
  judgeRead,
  type LiveObjects,
  objectForTemplates,
  objectWords,
  ruleFacts,
} from '@/lib/kudo/live-values/live-objects';
import type { ReadObject } from '@/lib/kudo/live-values/live-values';
import { isReadableFrom, type NamedRead, nameRead, READABLE_FROM_ANNOTATION } from '@/lib/kudo/live-values/named-read';
import { RenderError } from '@/lib/kudo/rendering/render-error';
import type { NameContext } from '@/lib/kudo/rendering/render-name';
import { limits } from '@/lib/limits/limits';
import type { Api } from '@/server/kube/api';
import { codeOf } from '@/server/kube/errors';
import type { KindIndex } from '@/server/kube/kinds';

/** The client with whose permissions objects are read, and the Instance for which. */
export interface LiveReader extends NameContext {
  readonly api: Pick<Api, 'get'>;
  readonly kinds: Pick<KindIndex, 'resolve'>;
  readonly signal?: AbortSignal | undefined;
}

export interface LiveRead {
  /** Those that were found. */
  readonly objects: LiveObjects;
  /** What is waited for, a sentence each; empty when everything is there. */
  readonly waits: readonly string[];
}

/**
 * Reads the objects of a task as its templates see them.
 *
 * @throws RenderError `ObjectNotReadable` for what no wait makes readable: a name that is none, another namespace that does not
 *   allow it, an object that is too large
 * @throws TransientError when the API does not answer
 */
export async function readLiveObjects(reads: readonly ReadObject[], reader: LiveReader): Promise<LiveRead> {
  const found = await Promise.all(reads.map((read) => readOne(read, reader)));
  const objects: { [id: string]: JsonObject | null } = {};
  const waits: string[] = [];
  for (const [index, read] of reads.entries()) {
    const result = found[index];
    if (typeof result === 'string') waits.push(result);
    else objects[read.id] = result === undefined ? null : objectForTemplates(result);
  }
  const facts = ruleFacts(reader.instance, reader.operatorVersion, objects);
  for (const [index, read] of reads.entries()) {
    const [object, shown] = [found[index], objects[read.id]];
    if (typeof object !== 'object' || shown === undefined || shown === null) continue;
    const verdict = judgeRead(read, shown, facts);
    if (verdict !== 'holds')
      waits.push(`waits for ${objectWords(object, namespaceOf(reader.instance))}: ${verdict.why}`);
  }
  return { objects, waits };
}

/** The object, undefined for an optional one that does not exist, or what is waited for. */
async function readOne(read: ReadObject, reader: LiveReader): Promise<KubeObject | string | undefined> {
  const named = nameRead(read, reader);
  if ('problem' in named) throw notReadable(named.problem);
  const object = await getObject(named, reader);
  const { namespace, name } = named;
  if (object === undefined) {
    if (read.optional === true) return undefined;
    const home = namespaceOf(reader.instance);
    const where = namespace === home ? '' : ` in namespace ${namespace}`;
    return `waits for ${read.kind} ${name}${where}, which does not exist yet`;
  }
  if (typeof object === 'string') return object;
  checkMayRead(object, namespaceOf(reader.instance));
  return object;
}

async function getObject(
  { read, name, namespace }: NamedRead,
  { api, kinds, signal }: LiveReader,
): Promise<KubeObject | string | undefined> {
  const type = await kinds.resolve(read.apiVersion, read.kind);
  if (type === undefined) return undefined;
  const { group, version, resource, namespaced } = type;
  const target = { group, version, resource, name, ...(namespaced ? { namespace } : {}) };
  try {
    return await api.get(target, signal === undefined ? {} : { signal });
  } catch (error) {
    const code = codeOf(error);
    if (code === 401 || code === 403) return `${read.kind} ${name} cannot be read (${code})`;
    throw error;
  }
}

function checkMayRead(object: KubeObject, home: string): void {
  const words = objectWords(object, home);
  if (!isReadableFrom(object, home)) {
    throw notReadable(
      `${words} may not be read from namespace ${home}; whoever may edit it can allow that with the annotation ${READABLE_FROM_ANNOTATION}: ${home}`,
    );
  }
  const chars = JSON.stringify(objectForTemplates(object)).length;
  if (chars > limits.liveObjectChars) {
    throw notReadable(`${words} is too large to be read: ${chars} characters, at most ${limits.liveObjectChars}`);
  }
}

function notReadable(message: string): RenderError {
  return new RenderError(message, 'ObjectNotReadable');
}
