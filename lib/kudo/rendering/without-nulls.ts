import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import { builtinSchema } from '@/lib/kube/builtin/builtin';
import { isBuiltIn } from '@/lib/kube/health/health';
import { type KubeObject, kindOf } from '@/lib/kube/object';
import type { JsonSchema } from '@/lib/schema/json-schema';

/**
 * A built-in object as KUDO's types left what is null; templates write that where a parameter is empty (`key: {{ … }}`), and
 * sent in a patch it would mean "remove". In a map of texts (labels, annotations, the data of a ConfigMap) it is the
 * empty text, in a map of bytes it stays, anywhere else the member is gone. The argument is changed and returned.
 */
export function withoutNulls(object: KubeObject): KubeObject {
  const gvk = kindOf(object);
  if (!isBuiltIn(gvk.group) || gvk.group === 'apiextensions.k8s.io') return object;
  const value = object as unknown as JsonObject;
  if (hasNull(value)) strip(value, builtinSchema(gvk));
  return object;
}

function hasNull(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.some(hasNull);
  return value === null || (isJsonObject(value) && Object.values(value).some(hasNull));
}

function strip(value: JsonValue, schema: JsonSchema | undefined): void {
  if (Array.isArray(value)) for (const element of value) strip(element, schema?.items);
  if (!isJsonObject(value)) return;
  const { properties, additionalProperties } = schema ?? {};
  const others = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  for (const [key, member] of Object.entries(value)) {
    if (member !== null) strip(member, properties?.[key] ?? others);
    else if (others?.type !== 'string') delete value[key];
    else if (others.format !== 'byte') value[key] = '';
  }
}
