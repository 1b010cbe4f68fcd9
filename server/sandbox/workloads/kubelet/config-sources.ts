import { objectAt } from '@/lib/json/json';
import type { GroupVersionResource, KubeObject } from '@/lib/kube/object';
import { namespaceOf } from '@/lib/kube/object';
import type { WorkloadContext } from '../core/context';
import { resources } from '../core/resources';

/** A ConfigMap or Secret that a container needs is not there, or has not the key; in the kubelet's words. */
export class ConfigProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigProblem';
  }
}

/** The data of a ConfigMap or Secret by key. */
export type ConfigSource = ReadonlyMap<string, Uint8Array>;

/** Which object a container needs. */
export interface Wanted {
  readonly kind: 'secret' | 'configmap';
  readonly name: string;
}

/** A ConfigMap or Secret as a pod sees it, undefined when there is no such object. */
export function sourceOf(context: WorkloadContext, pod: KubeObject, wanted: Wanted): ConfigSource | undefined {
  const { kind, name } = wanted;
  const resource: GroupVersionResource = kind === 'secret' ? resources.secrets : resources.configmaps;
  const object = context.get(resource, namespaceOf(pod), name);
  if (object === undefined) return undefined;
  const data = new Map<string, Uint8Array>();
  for (const [key, value] of Object.entries(objectAt(object, 'data'))) {
    data.set(key, kind === 'secret' ? fromBase64(String(value)) : new TextEncoder().encode(String(value)));
  }
  for (const [key, value] of Object.entries(objectAt(object, 'binaryData'))) data.set(key, fromBase64(String(value)));
  return data;
}

function fromBase64(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return new Uint8Array(0);
  }
}
