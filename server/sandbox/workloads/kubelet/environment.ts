import { arrayAt, type JsonValue, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { namespaceOf } from '@/lib/kube/object';
import type { WorkloadContext } from '../core/context';
import { ConfigProblem, sourceOf } from './config-sources';
import { fieldOf, hostNameOf } from './pod-fields';

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
    const source = sourceOf(context, pod, { kind, name });
    const found = source?.get(key);
    if (found !== undefined) return new TextDecoder().decode(found);
    if (optional) return undefined;
    const missing = source === undefined;
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
    const data = sourceOf(context, pod, { kind, name });
    if (data === undefined && reference.optional !== true) throw new ConfigProblem(`${kind} "${name}" not found`);
    if (data === undefined) continue;
    for (const [key, bytes] of data) yield [key, new TextDecoder().decode(bytes)];
  }
}
