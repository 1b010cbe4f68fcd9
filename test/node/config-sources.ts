import { objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';

/** The ConfigMaps, Secrets and Services of the cluster, as last seen. */
export interface ConfigSources {
  object(kind: 'ConfigMap' | 'Secret', namespace: string, name: string): KubeObject | undefined;
  services(namespace: string): readonly KubeObject[];
}

/** Why a container cannot be created, in the words of the kubelet. */
export class ConfigError extends Error {}

/** The content of a ConfigMap or Secret by key; undefined when the object does not exist. */
export function dataOf(
  sources: ConfigSources,
  kind: 'ConfigMap' | 'Secret',
  namespace: string,
  name: string,
): Map<string, Buffer> | undefined {
  const object = sources.object(kind, namespace, name);
  if (object === undefined) return undefined;
  const decoded = new Map<string, Buffer>();
  const data = objectAt(object, 'data');
  for (const key of Object.keys(data)) {
    decoded.set(key, Buffer.from(stringAt(data, key) ?? '', kind === 'Secret' ? 'base64' : 'utf8'));
  }
  const binary = objectAt(object, 'binaryData');
  for (const key of Object.keys(binary)) decoded.set(key, Buffer.from(stringAt(binary, key) ?? '', 'base64'));
  return decoded;
}
