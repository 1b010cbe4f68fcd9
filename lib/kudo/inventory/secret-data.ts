import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';

/** True for the kind Secret of Kubernetes. */
export function isSecret({ kind, apiVersion }: Pick<KubeObject, 'kind' | 'apiVersion'>): boolean {
  return kind === 'Secret' && apiVersion === 'v1';
}

/** A Secret with its `stringData` as `data`, as the API stores it; every other object as it is. */
export function withDataOfTexts(object: KubeObject): KubeObject {
  const { stringData, ...rest } = object;
  if (!isSecret(object) || !isJsonObject(stringData)) return object;
  const data: { [key: string]: JsonValue } = { ...(isJsonObject(object.data) ? object.data : {}) };
  for (const [key, text] of Object.entries(stringData)) data[key] = typeof text === 'string' ? toBase64(text) : text;
  return { ...rest, data };
}

const FIELDS = ['data', 'stringData'] as const;

/** A Secret with its keys and an empty text as the value of each, for a record that others can read; other objects as they are. */
export function withoutSecretValues(object: KubeObject): KubeObject {
  if (!isSecret(object)) return object;
  return mapValues(object, () => '');
}

/** True for the record of a Secret that shows values, as KUDO and versions of Bravo before 0.2 wrote it. */
export function showsSecretValues(record: KubeObject): boolean {
  const values = FIELDS.flatMap((field) => Object.values(objectOf(record[field])));
  return isSecret(record) && values.some((value) => value !== '' && value !== null);
}

/**
 * The record of a Secret with the values that the live object has, where the record shows none. A comparison of both then shows
 * keys that were added or removed, and no changed values.
 */
export function withLiveValues(record: KubeObject, live: object): KubeObject {
  if (!isSecret(record) || showsSecretValues(record)) return record;
  const data = objectOf('data' in live ? live.data : undefined);
  return mapValues(record, (key, field) => {
    const value = data[key];
    if (typeof value !== 'string') return '';
    return field === 'data' ? value : fromBase64(value);
  });
}

function mapValues(object: KubeObject, textFor: (key: string, field: (typeof FIELDS)[number]) => string): KubeObject {
  const copy = { ...object };
  for (const field of FIELDS) {
    const values = object[field];
    if (!isJsonObject(values)) continue;
    copy[field] = Object.fromEntries(Object.keys(values).map((key) => [key, textFor(key, field)]));
  }
  return copy;
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

function toBase64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
}

function fromBase64(text: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
  } catch {
    return '';
  }
}
