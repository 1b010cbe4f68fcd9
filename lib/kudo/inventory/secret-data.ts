import { isJsonObject, type JsonValue } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';

/** A Secret with its `stringData` as `data`, as the API stores it; every other object as it is. */
export function withDataOfTexts(object: KubeObject): KubeObject {
  const { stringData, ...rest } = object;
  if (object.kind !== 'Secret' || object.apiVersion !== 'v1' || !isJsonObject(stringData)) return object;
  const data: { [key: string]: JsonValue } = { ...(isJsonObject(object.data) ? object.data : {}) };
  for (const [key, text] of Object.entries(stringData)) data[key] = typeof text === 'string' ? toBase64(text) : text;
  return { ...rest, data };
}

function toBase64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
}
