import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import { isBuiltIn } from '@/lib/kube/health/health';
import { type KubeObject, parseApiVersion } from '@/lib/kube/object';

/**
 * A built-in object without members that are null in `metadata` and `spec`: KUDO's types dropped them, and templates
 * write them where a parameter is empty (`storageClassName:`). Sent in a patch they would mean "remove". The argument is
 * changed and returned.
 */
export function withoutNulls(object: KubeObject): KubeObject {
  const { group } = parseApiVersion(object.apiVersion);
  if (!isBuiltIn(group) || group === 'apiextensions.k8s.io') return object;
  strip(object.metadata as unknown as JsonObject);
  if (isJsonObject(object.spec)) strip(object.spec);
  return object;
}

function strip(value: JsonValue): void {
  if (Array.isArray(value)) for (const element of value) strip(element);
  if (!isJsonObject(value)) return;
  for (const [key, member] of Object.entries(value)) {
    if (member === null) delete value[key];
    else strip(member);
  }
}
