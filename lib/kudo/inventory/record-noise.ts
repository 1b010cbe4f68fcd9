import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';

/**
 * A record of what KUDO applied (`kudo.dev/last-applied-configuration`) without the zero values that its Go types wrote and
 * no template said: `creationTimestamp: null`, `status`, `resources: {}`, `targetPort: 0` … Taken for removals they would
 * change objects that stay the same. Zero values that only a template can have written (`replicas: 0`, `emptyDir: {}`) stay.
 */
export function withoutRecordNoise(record: JsonObject): JsonObject {
  const { status: _, ...rest } = record;
  return cleanMap(rest);
}

/** Members that Go writes although they are empty: structs, which `omitempty` does not leave out. */
const EMPTY_STRUCTS: ReadonlySet<string> = new Set([
  'resources',
  'strategy',
  'updateStrategy',
  'metadata',
  'jobTemplate',
  'template',
  'spec',
  'port',
  'backend',
  'clientConfig',
  'scaleTargetRef',
  'target',
]);

/** Numbers and texts without `omitempty`, or of a struct type (IntOrString). */
const ZEROES: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ['targetPort', 0],
  ['servicePort', 0],
  ['serviceName', ''],
]);

function cleanMap(map: JsonObject): JsonObject {
  const result: JsonObject = {};
  for (const [key, member] of Object.entries(map)) {
    const cleaned = key === 'volumeClaimTemplates' ? claims(member) : clean(member);
    if (!isNoise(key, cleaned)) result[key] = cleaned;
  }
  return result;
}

function clean(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(clean);
  return isJsonObject(value) ? cleanMap(value) : value;
}

/** Claims are whole objects, with a status. */
function claims(value: JsonValue): JsonValue {
  if (!Array.isArray(value)) return clean(value);
  return value.map((claim) => (isJsonObject(claim) ? withoutRecordNoise(claim) : claim));
}

function isNoise(key: string, member: JsonValue): boolean {
  if (member === null) return true;
  if (isJsonObject(member)) return EMPTY_STRUCTS.has(key) && Object.keys(member).length === 0;
  return ZEROES.has(key) && ZEROES.get(key) === member;
}
