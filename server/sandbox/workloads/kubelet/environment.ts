import { arrayAt, getAt, type JsonValue, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { namespaceOf } from '@/lib/kube/object';
import type { WorkloadContext } from '../core/context';
import { decode } from '../shell/language/io';
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
    for (const [field, kind] of [
      ['configMapRef', 'configmap'],
      ['secretRef', 'secret'],
    ] as const) {
      const data = sourceOf(context, pod, kind, getAt(source, field));
      for (const [key, bytes] of data ?? []) env.set(prefix + key, decode(bytes));
    }
  }
  for (const variable of arrayAt(container, 'env')) {
    const value = variableValue(context, pod, container, variable);
    if (value !== undefined) env.set(stringAt(variable, 'name') ?? '', expandReferences(value, env));
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
  if (from.resourceFieldRef !== undefined) {
    const [list = '', ...name] = (stringAt(from, 'resourceFieldRef', 'resource') ?? '').split('.');
    return stringAt(container, 'resources', list, name.join('.')) ?? '0';
  }
  const isSecret = from.secretKeyRef !== undefined;
  const reference = isSecret ? from.secretKeyRef : from.configMapKeyRef;
  if (reference === undefined) return stringAt(variable, 'value') ?? '';
  const source = sourceOf(context, pod, isSecret ? 'secret' : 'configmap', reference);
  const key = stringAt(reference, 'key') ?? '';
  const found = source?.get(key);
  if (found !== undefined) return decode(found);
  if (objectAt(reference).optional === true) return undefined;
  const owner = `${isSecret ? 'Secret' : 'ConfigMap'} ${namespaceOf(pod)}/${stringAt(reference, 'name')}`;
  throw new ConfigProblem(`couldn't find key ${key} in ${owner}`);
}
