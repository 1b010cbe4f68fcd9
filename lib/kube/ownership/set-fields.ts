import {
  getAt,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  parseJsonObject,
  stringAt,
} from '@/lib/json/json';
import type { KubeObject } from '../object';

/** Where a field is: keys of objects, and indexes of lists. */
export type FieldPath = readonly (string | number)[];

/**
 * Whether some field manager set a field, or anything in it, as `managedFields` says (Kubernetes FieldsV1). Undefined when the object
 * has none: the event stream leaves them out.
 */
export function isSetByManager(
  object: KubeObject,
  isManager: (name: string) => boolean,
  path: FieldPath,
): boolean | undefined {
  const names = settersOf(object, path);
  return names === undefined ? undefined : names.some(isManager);
}

/**
 * The field managers that set a field, or anything in it, each once; those of the status are left out, because nobody else writes it. Undefined
 * when the object has no `managedFields`: the event stream leaves them out.
 */
export function settersOf(object: KubeObject, path: FieldPath): readonly string[] | undefined {
  const entries = (object.metadata.managedFields ?? []).filter((entry) => isJsonObject(getAt(entry, 'fieldsV1')));
  if (entries.length === 0) return undefined;
  const setters = entries.filter(
    (entry) => stringAt(entry, 'subresource') !== 'status' && holds(getAt(entry, 'fieldsV1'), object, path),
  );
  return [...new Set(setters.map((entry) => stringAt(entry, 'manager') ?? ''))];
}

/** A leaf (`{}`) is set as a whole: what is in it belongs to its manager. A path that ends inside the tree is set in part. */
function holds(node: JsonValue | undefined, value: unknown, path: FieldPath): boolean {
  if (!isJsonObject(node)) return false;
  const [step, ...rest] = path;
  if (step === undefined || Object.keys(node).length === 0) return true;
  const below = getAt(value, step);
  if (typeof step === 'string') return holds(own(node, `f:${step}`), below, rest);
  const key = Object.keys(node).find((name) => isElement(name, below));
  return key !== undefined && holds(own(node, key), below, rest);
}

function own(node: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(node, key) ? node[key] : undefined;
}

/** `k:{"name":"web"}` names an element of a list by its keys, `v:"a"` an element of a set by its value. */
function isElement(name: string, element: JsonValue | undefined): boolean {
  if (name.startsWith('k:') && isJsonObject(element)) {
    const keys = parseJsonObject(name.slice(2));
    return keys !== undefined && Object.entries(keys).every(([key, value]) => jsonEqual(element[key] ?? null, value));
  }
  return name.startsWith('v:') && element !== undefined && name.slice(2) === JSON.stringify(element);
}
