import { arrayAt, type JsonValue, objectAt, stringAt } from '@/lib/json/json';
import type { GroupVersionResource, KubeObject } from '@/lib/kube/object';
import { namespaceOf } from '@/lib/kube/object';
import { findCondition } from '../core/conditions';
import type { WorkloadContext } from '../core/context';
import { resources } from '../core/resources';
import { programs } from '../shell/shell';

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
export interface WantedConfig {
  readonly kind: 'secret' | 'configmap';
  readonly name: string;
}

/** A ConfigMap or Secret as a pod sees it, undefined when there is no such object. */
export function sourceOf(context: WorkloadContext, pod: KubeObject, wanted: WantedConfig): ConfigSource | undefined {
  const { kind, name } = wanted;
  const resource: GroupVersionResource = kind === 'secret' ? resources.secrets : resources.configmaps;
  const object = context.get(resource, namespaceOf(pod), name);
  if (object === undefined) return madeByJob(context, pod) ? new EveryKey() : undefined;
  const data = new Map<string, Uint8Array>();
  for (const [key, value] of Object.entries(objectAt(object, 'data'))) {
    data.set(key, kind === 'secret' ? fromBase64(String(value)) : new TextEncoder().encode(String(value)));
  }
  for (const [key, value] of Object.entries(objectAt(object, 'binaryData'))) data.set(key, fromBase64(String(value)));
  return data;
}

/** The data of an object that only the program of a Job would have made: every key exists, with nothing in it. */
class EveryKey extends Map<string, Uint8Array> {
  override get(): Uint8Array {
    return new Uint8Array(0);
  }
}

/**
 * Programs of images are not run, so a Secret that such a program creates through the API (a certificate, a token) never
 * exists, and a pod that needs it would wait for ever. It counts as created when a Job of the namespace has completed that
 * ran a program of its image, under the service account of the pod, which is not `default`.
 */
function madeByJob(context: WorkloadContext, pod: KubeObject): boolean {
  const account = stringAt(pod, 'spec', 'serviceAccountName') ?? 'default';
  if (account === 'default') return false;
  return context.list(resources.jobs, namespaceOf(pod)).some((job) => {
    const spec = objectAt(job, 'spec', 'template', 'spec');
    const isComplete = findCondition(arrayAt(job, 'status', 'conditions'), 'Complete')?.status === 'True';
    return isComplete && spec.serviceAccountName === account && arrayAt(spec, 'containers').some(runsOwnProgram);
  });
}

/** True for a container that runs a program which only its image has. */
function runsOwnProgram(container: JsonValue): boolean {
  const [first = ''] = [...arrayAt(container, 'command'), ...arrayAt(container, 'args')].map(String);
  return !programs.has(first.split('/').at(-1) ?? '');
}

function fromBase64(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return new Uint8Array(0);
  }
}
