import { arrayAt, type JsonValue, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { namespaceOf } from '@/lib/kube/object';
import { findCondition } from '../controllers/conditions';
import type { WorkloadContext } from '../core/context';
import { resources } from '../core/resources';
import { programs } from '../shell/shell';

/** A ConfigMap or Secret that a pod names. */
export interface Wanted {
  readonly kind: 'configmap' | 'secret';
  readonly name: string;
}

/**
 * True when a missing object counts as made by a Job. Programs of images are not run here, so what they would make
 * through the API (certificates, tokens) never comes, and a pod that names it would wait for ever. A Job has made it when
 *
 * 1. it is one of the pod's namespace and has ended well;
 * 2. its account may create objects of that kind there, by the roles of the cluster;
 * 3. one of its containers runs a program that the sandbox has not: the image's own, a command that no shell here knows,
 *    or a script that calls kubectl;
 * 4. it has to do with the pod: it names the object (command, arguments, environment, scripts that it mounts), or the pod
 *    runs under the same account of its own.
 *
 * Everything else that is missing is waited for, as in any cluster.
 */
export function madeByJob(context: WorkloadContext, pod: KubeObject, wanted: Wanted): boolean {
  const namespace = namespaceOf(pod);
  return context.list(resources.jobs, namespace).some((job) => {
    if (findCondition(arrayAt(job, 'status', 'conditions'), 'Complete')?.status !== 'True') return false;
    const spec = objectAt(job, 'spec', 'template', 'spec');
    const account = accountOf(spec);
    if (!context.accountMay({ namespace, name: account }, 'create', `${wanted.kind}s`)) return false;
    const texts = textsOf(context, namespace, spec);
    if (!arrayAt(spec, 'containers').some((container) => isForeign(container, texts))) return false;
    const sameAccount = account !== 'default' && account === accountOf(objectAt(pod, 'spec'));
    return sameAccount || texts.some((text) => names(text, wanted.name));
  });
}

function accountOf(spec: JsonValue): string {
  return stringAt(spec, 'serviceAccountName') ?? 'default';
}

/** Everything that the containers are told. */
function textsOf(context: WorkloadContext, namespace: string, spec: JsonValue): string[] {
  const texts: string[] = [];
  for (const container of arrayAt(spec, 'containers')) {
    texts.push(...arrayAt(container, 'command').map(String), ...arrayAt(container, 'args').map(String));
    for (const variable of arrayAt(container, 'env')) texts.push(stringAt(variable, 'value') ?? '');
  }
  for (const volume of arrayAt(spec, 'volumes')) {
    const scripts = context.get(resources.configmaps, namespace, stringAt(volume, 'configMap', 'name') ?? '');
    if (scripts !== undefined) texts.push(...Object.values(objectAt(scripts, 'data')).map(String));
  }
  return texts;
}

/** True for what runs a program that the sandbox has not. */
function isForeign(container: JsonValue, texts: readonly string[]): boolean {
  const [first] = [...arrayAt(container, 'command'), ...arrayAt(container, 'args')].map(String);
  if (first === undefined || !programs.has(first.split('/').at(-1) ?? '')) return true;
  return texts.some((text) => /(^|[\s;&|(/])(kubectl|oc)\s/.test(text));
}

/** True when the name stands in the text as a whole, not as a part of a longer one. */
function names(text: string, name: string): boolean {
  const parts = text.split(name);
  return parts.some((before, index) => {
    const after = parts[index + 1];
    return after !== undefined && !/[a-z0-9.-]$/i.test(before) && !/^[a-z0-9-]|^\.[a-z0-9]/i.test(after);
  });
}
