import { isJsonObject, type JsonObject, type JsonValue, objectAt } from '@/lib/json/json';

const METADATA = ['name', 'labels', 'deletionTimestamp'];

/**
 * A ConfigMap or Secret as KUDO's typed decoding leaves it (client-go 0.19): members that the type does not have are
 * gone, and so is what is empty; null among the data is an empty text; base64 has no line breaks. Other kinds stay as
 * they are. Of `metadata` only what the hash of dependencies looks at is kept.
 */
export function asGoType(kind: string, object: JsonObject): JsonObject {
  const { apiVersion, kind: named, metadata, ...rest } = object;
  if (kind !== 'ConfigMap' && kind !== 'Secret') return object;
  const members =
    kind === 'ConfigMap'
      ? { immutable: rest.immutable, data: texts(rest.data), binaryData: bytes(rest.binaryData) }
      : { immutable: rest.immutable, data: bytes(rest.data), stringData: texts(rest.stringData), type: rest.type };
  return withoutEmpty({
    apiVersion: apiVersion ?? '',
    kind: named ?? '',
    metadata: withoutEmpty(Object.fromEntries(METADATA.map((key) => [key, objectAt({ metadata }, 'metadata')[key]]))),
    ...members,
  });
}

function texts(data: JsonValue | undefined): JsonValue | undefined {
  return changeMembers(data, (value) => value ?? '');
}

function bytes(data: JsonValue | undefined): JsonValue | undefined {
  return changeMembers(data, (value) => (typeof value === 'string' ? value.replace(/[\r\n]/g, '') : value));
}

function changeMembers(data: JsonValue | undefined, change: (value: JsonValue) => JsonValue): JsonValue | undefined {
  if (!isJsonObject(data)) return data;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, change(value)]));
}

/** Go's `omitempty`; `false` of a pointer stays. */
function withoutEmpty(members: { readonly [key: string]: JsonValue | undefined }): JsonObject {
  const result: JsonObject = {};
  for (const [key, value] of Object.entries(members)) {
    const isEmpty = value === undefined || value === null || value === '';
    if (isEmpty || (isJsonObject(value) && Object.keys(value).length === 0)) continue;
    result[key] = value;
  }
  return result;
}
