import { isJsonObject } from '@/lib/json/json';
import { type KubeObject, namespaceOf } from '@/lib/kube/object';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import { parseSource, type Source, sourceTexts } from '@/lib/kudo/sources/parameter-source';
import { NO_READS, type SourceRead, type SourceReads } from '@/lib/kudo/sources/source-values';
import type { Instance } from '@/lib/kudo/types';
import type { Api } from '@/server/kube/api';
import { codeOf } from '@/server/kube/errors';

export const SOURCE_RESOURCES = { Secret: 'secrets', ConfigMap: 'configmaps' } as const;

/** Every source that Instances have now, and those that their records name, each once. */
export function sourcesToRead(instances: readonly Instance[]): readonly string[] {
  const texts = instances.flatMap((instance) => {
    if (instance.spec?.parametersFrom === undefined && actedUpon(instance)?.sources === undefined) return [];
    return [...Object.values(sourceTexts(instance.spec)), ...Object.values(actedUpon(instance)?.sources ?? {})];
  });
  return [...new Set(texts)];
}

/**
 * What the sources of Instances of one namespace hold now: each object is read once, and nothing is read when there is no
 * source. An object that may not be read is a problem of its sources.
 * @throws TransientError when the API does not answer
 */
export async function readSources(
  api: Pick<Api, 'get'>,
  instances: readonly Instance[],
  signal?: AbortSignal,
): Promise<SourceReads> {
  const texts = sourcesToRead(instances);
  const [first] = instances;
  if (texts.length === 0 || first === undefined) return NO_READS;
  const objects = new Map<string, Promise<KubeObject | string | undefined>>();
  const reads = await Promise.all(
    texts.map(async (text): Promise<readonly [string, SourceRead][]> => {
      const source = parseSource(text);
      if (source === undefined) return [];
      const id = `${source.kind}/${source.name}`;
      const object = objects.get(id) ?? readObject(api, namespaceOf(first), source, signal);
      objects.set(id, object);
      return [[text, readKey(source, await object)]];
    }),
  );
  return new Map(reads.flat());
}

type Place = Pick<Source, 'kind' | 'name' | 'key'>;

/** The object, undefined when it does not exist, or why it cannot be read. */
async function readObject(api: Pick<Api, 'get'>, namespace: string, { kind, name }: Place, signal?: AbortSignal) {
  const target = { group: '', version: 'v1', resource: SOURCE_RESOURCES[kind], namespace, name };
  try {
    return await api.get(target, signal === undefined ? {} : { signal });
  } catch (error) {
    const code = codeOf(error);
    if (code === 401 || code === 403) return `${kind} ${name} cannot be read (${code})`;
    throw error;
  }
}

function readKey({ kind, name, key }: Place, object: KubeObject | string | undefined): SourceRead {
  if (typeof object === 'string') return { problem: object, isAbsent: false };
  if (object === undefined) return { problem: `${kind} ${name} does not exist`, isAbsent: true };
  const data = isJsonObject(object.data) ? object.data : {};
  const held = Object.hasOwn(data, key) ? data[key] : undefined;
  if (typeof held !== 'string') return { problem: `${kind} ${name}: the key ${key} does not exist`, isAbsent: true };
  const value = kind === 'Secret' ? textOf(held) : held;
  if (value === undefined || value.includes('\u0000')) {
    return { problem: `${kind} ${name}: the key ${key} holds no text`, isAbsent: false };
  }
  return { value };
}

/** The text in base64; undefined for bytes that are not UTF-8. */
function textOf(base64: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(base64, 'base64'));
  } catch {
    return undefined;
  }
}
