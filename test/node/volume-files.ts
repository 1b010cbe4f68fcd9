import { arrayAt, getAt, type JsonObject, type JsonValue, numberAt, objectAt, stringAt } from '@/lib/json/json';
import { type KubeObject, namespaceOf } from '@/lib/kube/object';
import { fieldOf } from '@/server/sandbox/workloads/kubelet/pod-fields';
import { ConfigError, type ConfigSources, dataOf } from './config-sources';
import { resourceOf } from './environment';

/** A file of a ConfigMap, Secret, downward API or projected volume. `path` may have folders. */
export interface VolumeFile {
  readonly path: string;
  readonly content: Buffer;
  readonly mode: number;
}

const DEFAULT_MODE = 0o644;

/**
 * The files of a volume whose content is in the API; undefined for all other kinds.
 *
 * @param tokens gives the token of the pod's service account for an audience ('' is the default one)
 * @throws ConfigError for what does not exist and is not optional
 */
export function filesOfVolume(
  volume: JsonValue,
  pod: KubeObject,
  sources: ConfigSources,
  tokens: (audience: string) => string,
): VolumeFile[] | undefined {
  const projected = getAt(volume, 'projected');
  if (projected === undefined) return filesOfSource(volume, DEFAULT_MODE, { pod, sources, tokens });
  const mode = numberAt(projected, 'defaultMode') ?? DEFAULT_MODE;
  return arrayAt(projected, 'sources').flatMap((source) => filesOfSource(source, mode, { pod, sources, tokens }) ?? []);
}

interface Context {
  readonly pod: KubeObject;
  readonly sources: ConfigSources;
  readonly tokens: (audience: string) => string;
}

function filesOfSource(source: JsonValue, mode: number, context: Context): VolumeFile[] | undefined {
  if (getAt(source, 'configMap') !== undefined) {
    const reference = objectAt(source, 'configMap');
    return filesOfObject('ConfigMap', stringAt(reference, 'name') ?? '', { reference, mode, context });
  }
  if (getAt(source, 'secret') !== undefined) {
    const reference = objectAt(source, 'secret');
    const name = stringAt(reference, 'secretName') ?? stringAt(reference, 'name') ?? '';
    return filesOfObject('Secret', name, { reference, mode, context });
  }
  if (getAt(source, 'downwardAPI') !== undefined) return downward(objectAt(source, 'downwardAPI'), mode, context.pod);
  const token = getAt(source, 'serviceAccountToken');
  if (token === undefined) return undefined;
  const content = Buffer.from(context.tokens(stringAt(token, 'audience') ?? ''));
  return [{ path: stringAt(token, 'path') ?? 'token', content, mode }];
}

function filesOfObject(
  kind: 'ConfigMap' | 'Secret',
  name: string,
  { reference, mode, context }: { reference: JsonObject; mode: number; context: Context },
): VolumeFile[] {
  const namespace = namespaceOf(context.pod);
  const isOptional = reference.optional === true;
  const data = dataOf(context.sources, kind, namespace, name);
  if (data === undefined) {
    if (isOptional) return [];
    throw new ConfigError(`${kind.toLowerCase()} "${name}" not found`);
  }
  const all = numberAt(reference, 'defaultMode') ?? mode;
  const items = arrayAt(reference, 'items');
  if (items.length === 0) return [...data].map(([path, content]) => ({ path, content, mode: all }));
  return items.flatMap((item) => {
    const key = stringAt(item, 'key') ?? '';
    const content = data.get(key);
    if (content !== undefined)
      return [{ path: stringAt(item, 'path') ?? key, content, mode: numberAt(item, 'mode') ?? all }];
    if (isOptional) return [];
    throw new ConfigError(`references non-existent ${kind === 'Secret' ? 'secret' : 'config'} key: ${key}`);
  });
}

function downward(reference: JsonObject, mode: number, pod: KubeObject): VolumeFile[] {
  const all = numberAt(reference, 'defaultMode') ?? mode;
  return arrayAt(reference, 'items').map((item) => {
    const path = stringAt(item, 'path') ?? '';
    const resource = getAt(item, 'resourceFieldRef');
    const text =
      resource === undefined
        ? fieldOf(pod, stringAt(item, 'fieldRef', 'fieldPath') ?? '')
        : resourceOf(pod, {}, resource);
    return { path, content: Buffer.from(text), mode: numberAt(item, 'mode') ?? all };
  });
}
