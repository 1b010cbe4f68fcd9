import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '@/lib/json/json';

/** Keys of maps and indexes of lists, from the root of a document. */
export type YamlPath = readonly (string | number)[];

/**
 * One change of a document. `set` writes a value: maps on the way that are missing or null are made, and the index that is the length of a
 * list appends to it. `move` moves the item of the list at the path, `rename` renames a key of the map at the path and keeps its place.
 */
export type DocumentEdit =
  | { readonly op: 'set'; readonly path: YamlPath; readonly value: JsonValue }
  | { readonly op: 'remove'; readonly path: YamlPath }
  | { readonly op: 'move'; readonly path: YamlPath; readonly from: number; readonly to: number }
  | { readonly op: 'rename'; readonly path: YamlPath; readonly from: string; readonly to: string };

/** The value after an edit; undefined when the document does not have the place. Shares with the value what did not change. */
export function editValue(value: JsonValue, edit: DocumentEdit): JsonValue | undefined {
  switch (edit.op) {
    case 'set':
      return changeAt(value, edit.path, () => edit.value);
    case 'remove':
      return changeAt(value, edit.path.slice(0, -1), (parent) => without(parent, edit.path.at(-1)));
    case 'move':
      return changeAt(value, edit.path, (list) => moved(list, edit.from, edit.to));
    case 'rename':
      return changeAt(value, edit.path, (map) => renamed(map, edit.from, edit.to));
  }
}

type Change = (value: JsonValue | undefined) => JsonValue | undefined;

function changeAt(value: JsonValue | undefined, path: YamlPath, change: Change): JsonValue | undefined {
  const [part, ...rest] = path;
  if (part === undefined) return change(value);
  if (typeof part === 'number') {
    if (!Array.isArray(value) || part < 0 || part > value.length) return undefined;
    const member = changeAt(value[part], rest, change);
    return member === undefined ? undefined : [...value.slice(0, part), member, ...value.slice(part + 1)];
  }
  const map = value === undefined || value === null ? {} : value;
  if (!isJsonObject(map)) return undefined;
  const member = changeAt(Object.hasOwn(map, part) ? map[part] : undefined, rest, change);
  if (member === undefined) return undefined;
  const copy = { ...map };
  setOwn(copy, part, member);
  return copy;
}

function without(parent: JsonValue | undefined, part: string | number | undefined): JsonValue | undefined {
  if (typeof part === 'number') {
    return Array.isArray(parent) && part in parent ? parent.filter((_, index) => index !== part) : undefined;
  }
  if (part === undefined || !isJsonObject(parent) || !Object.hasOwn(parent, part)) return undefined;
  return Object.fromEntries(Object.entries(parent).filter(([key]) => key !== part));
}

function moved(list: JsonValue | undefined, from: number, to: number): JsonValue | undefined {
  if (!Array.isArray(list) || !(from in list) || !(to in list)) return undefined;
  const rest = list.filter((_, index) => index !== from);
  return [...rest.slice(0, to), list[from] ?? null, ...rest.slice(to)];
}

function renamed(map: JsonValue | undefined, from: string, to: string): JsonObject | undefined {
  if (!isJsonObject(map) || !Object.hasOwn(map, from) || Object.hasOwn(map, to)) return undefined;
  return Object.fromEntries(Object.entries(map).map(([key, member]) => [key === from ? to : key, member]));
}
