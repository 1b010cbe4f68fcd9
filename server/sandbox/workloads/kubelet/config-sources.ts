import { arrayAt, type JsonValue, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { namespaceOf } from '@/lib/kube/object';
import { findCondition } from '../core/conditions';
import type { WorkloadContext } from '../core/context';
import { resources } from '../core/resources';
import { programs } from '../shell/shell';

/** A ConfigMap or Secret that a container needs does not exist, or does not have the key; in the kubelet's words. */
export class ConfigProblem extends Error {}

/** The data of a ConfigMap or Secret by key. */
export type ConfigSource = ReadonlyMap<string, Uint8Array>;

/**
 * The data of the ConfigMap or Secret that a reference names. Undefined when it names none, or an optional one that does
 * not exist; throws {@link ConfigProblem} for another one.
 * @param reference `name` or `secretName`, `optional`
 */
export function sourceOf(
  context: WorkloadContext,
  pod: KubeObject,
  kind: 'secret' | 'configmap',
  reference: JsonValue | undefined,
): ConfigSource | undefined {
  const name = stringAt(reference, 'secretName') ?? stringAt(reference, 'name');
  if (name === undefined) return undefined;
  const isSecret = kind === 'secret';
  const object = context.get(isSecret ? resources.secrets : resources.configmaps, namespaceOf(pod), name);
  if (object !== undefined) {
    const texts = Object.entries(objectAt(object, 'data'));
    const binary = Object.entries(objectAt(object, 'binaryData'));
    return new Map([
      ...texts.map(([key, value]) => [key, Buffer.from(String(value), isSecret ? 'base64' : 'utf8')] as const),
      ...binary.map(([key, value]) => [key, Buffer.from(String(value), 'base64')] as const),
    ]);
  }
  if (madeByJob(context, pod)) return new EveryKey();
  if (objectAt(reference).optional === true) return undefined;
  throw new ConfigProblem(`${kind} "${name}" not found`);
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
