import { isJsonObject, jsonEqual } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';

/**
 * Where a live object has another value than an installation applies, as paths such as `spec.replicas` or
 * `spec.template.spec.containers[0].image`. Fields that the API server or others set besides do not count, nor do status and the
 * annotations of `kubectl`. Lists must have the same length.
 */
export function differingFields(expected: KubeObject, live: KubeObject): string[] {
  const { apiVersion: _, kind: __, ...fields } = expected;
  return differences(fields, live, '');
}

function differences(expected: unknown, live: unknown, path: string): string[] {
  if (isJsonObject(expected)) {
    // The API server drops an empty object where it means nothing.
    if (!isJsonObject(live)) return Object.keys(expected).length === 0 && live === undefined ? [] : [path];
    return Object.entries(expected).flatMap(([name, value]) =>
      differences(value, live[name], path === '' ? name : `${path}.${name}`),
    );
  }
  if (Array.isArray(expected) && Array.isArray(live) && expected.length === live.length) {
    return expected.flatMap((value, index) => differences(value, live[index], `${path}[${index}]`));
  }
  return jsonEqual(expected, live) ? [] : [path];
}
