import { arrayAt, type JsonValue, objectAt, stringAt } from '@/lib/json/json';
import type { GroupVersionResource, KubeObject } from '@/lib/kube/object';
import { namespaceOf } from '@/lib/kube/object';
import type { WorkloadContext } from '../core/context';
import { resources } from '../core/resources';
import { fieldOf, hostNameOf } from './pod-fields';

/** A ConfigMap or Secret that a container needs is not there, or has not the key; in the kubelet's words. */
export class ConfigProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigProblem';
  }
}

/**
 * The environment of a container: `envFrom`, then `env` with its references, `$(NAME)` replaced by what came before
 * (Kubernetes kubelet makeEnvironmentVariables). Throws {@link ConfigProblem}.
 */
export function environmentOf(context: WorkloadContext, pod: KubeObject, container: JsonValue): Map<string, string> {
  const env = new Map([
    ['PATH', '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
    ['HOSTNAME', hostNameOf(pod)],
    ['HOME', '/root'],
    ['KUBERNETES_SERVICE_HOST', '10.96.0.1'],
    ['KUBERNETES_SERVICE_PORT', '443'],
  ]);
  for (const source of arrayAt(container, 'envFrom')) {
    const prefix = stringAt(source, 'prefix') ?? '';
    for (const [name, value] of allOf(context, pod, source)) env.set(prefix + name, value);
  }
  for (const variable of arrayAt(container, 'env')) {
    const name = stringAt(variable, 'name') ?? '';
    const value = variableValue(context, pod, container, variable);
    if (value !== undefined) env.set(name, expandReferences(value, env));
  }
  return env;
}

/** `$(NAME)` with a known name becomes its value, `$$` a dollar (Kubernetes third_party/forked/golang/expansion). */
export function expandReferences(text: string, env: ReadonlyMap<string, string>): string {
  return text.replace(/\$(\$|\(([^()]*)\))/g, (whole, inner: string, name: string | undefined) => {
    if (inner === '$') return '$';
    return env.get(name ?? '') ?? whole;
  });
}

function variableValue(
  context: WorkloadContext,
  pod: KubeObject,
  container: JsonValue,
  variable: JsonValue,
): string | undefined {
  const from = objectAt(variable, 'valueFrom');
  if (from.fieldRef !== undefined) return fieldOf(pod, stringAt(from, 'fieldRef', 'fieldPath') ?? '');
  if (from.resourceFieldRef !== undefined)
    return amountOf(container, stringAt(from, 'resourceFieldRef', 'resource') ?? '');
  for (const [field, kind] of [
    ['configMapKeyRef', 'configmap'],
    ['secretKeyRef', 'secret'],
  ] as const) {
    if (from[field] === undefined) continue;
    const name = stringAt(from, field, 'name') ?? '';
    const key = stringAt(from, field, 'key') ?? '';
    const optional = objectAt(from, field).optional === true;
    const found = dataOf(context, namespaceOf(pod), kind, name)?.get(key);
    if (found !== undefined) return new TextDecoder().decode(found);
    if (optional) return undefined;
    const missing = dataOf(context, namespaceOf(pod), kind, name) === undefined;
    const what = kind === 'secret' ? 'Secret' : 'ConfigMap';
    throw new ConfigProblem(
      missing ? `${kind} "${name}" not found` : `couldn't find key ${key} in ${what} ${namespaceOf(pod)}/${name}`,
    );
  }
  return stringAt(variable, 'value') ?? '';
}

function amountOf(container: JsonValue, path: string): string {
  const [list = '', ...name] = path.split('.');
  return stringAt(container, 'resources', list, name.join('.')) ?? '0';
}

function* allOf(context: WorkloadContext, pod: KubeObject, source: JsonValue): Generator<[string, string]> {
  for (const [field, kind] of [
    ['configMapRef', 'configmap'],
    ['secretRef', 'secret'],
  ] as const) {
    const reference = objectAt(source, field);
    const name = stringAt(reference, 'name');
    if (name === undefined) continue;
    const data = dataOf(context, namespaceOf(pod), kind, name);
    if (data === undefined && reference.optional !== true) throw new ConfigProblem(`${kind} "${name}" not found`);
    for (const [key, bytes] of data ?? []) yield [key, new TextDecoder().decode(bytes)];
  }
}

/** The data of a ConfigMap or Secret by key, undefined when there is no such object. */
export function dataOf(
  context: WorkloadContext,
  namespace: string,
  kind: 'configmap' | 'secret',
  name: string,
): Map<string, Uint8Array> | undefined {
  const resource: GroupVersionResource = kind === 'secret' ? resources.secrets : resources.configmaps;
  const object = context.get(resource, namespace, name);
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
