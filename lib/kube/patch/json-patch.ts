import { cloneJson, isJsonObject, type JsonObject, type JsonValue, jsonEqual, setOwn } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';
import { PatchError, rejectedPatch } from './patch-error';

/**
 * Applies a JSON patch (RFC 6902) with the rules of kube-apiserver: negative array indexes count from the end, a
 * missing member equals null in `test`, `add` needs its parent. The document is not changed.
 *
 * @param operations the patch as it was sent, not yet checked
 * @throws PatchError 400 for something that is no patch, 413 for too many operations, 422 when one does not apply
 */
export function applyJsonPatch(document: JsonValue, operations: unknown): JsonValue {
  if (!Array.isArray(operations)) {
    throw new PatchError(400, `error decoding patch: ${cannotUnmarshal(operations, 'jsonpatch.Patch')}`);
  }
  if (operations.length > limits.jsonPatchOperations) {
    const allowed = `The allowed maximum operations in a JSON patch is ${limits.jsonPatchOperations}`;
    throw new PatchError(413, `Request entity too large: ${allowed}, got ${operations.length}`);
  }
  const holder: JsonObject = { root: cloneJson(document) };
  for (const operation of operations) {
    if (!isJsonObject(operation)) {
      throw new PatchError(400, `error decoding patch: ${cannotUnmarshal(operation, 'jsonpatch.Operation')}`);
    }
    applyOperation(holder, operation);
  }
  return holder.root ?? null;
}

/** The words of Go's encoding/json for a value of the wrong type. */
export function cannotUnmarshal(value: unknown, goType: string): string {
  const what = Array.isArray(value) ? 'array' : isJsonObject(value) ? 'object' : typeof value;
  return `json: cannot unmarshal ${what === 'boolean' ? 'bool' : what} into Go value of type ${goType}`;
}

function applyOperation(holder: JsonObject, operation: JsonObject): void {
  const path = pointerOf(operation.path);
  switch (operation.op) {
    case 'add':
      add(holder, path, cloneJson(operation.value ?? null));
      break;
    case 'remove':
      remove(holder, path);
      break;
    case 'replace':
      find(holder, path);
      set(holder, path, cloneJson(operation.value ?? null));
      break;
    case 'move': {
      const from = pointerOf(operation.from);
      const moved = find(holder, from);
      remove(holder, from);
      add(holder, path, moved);
      break;
    }
    case 'copy':
      add(holder, path, cloneJson(find(holder, pointerOf(operation.from))));
      break;
    case 'test':
      test(holder, path, operation.value ?? null);
      break;
    default:
      throw rejectedPatch();
  }
}

/** The parts of a pointer below the holder; the first one is always `root`. */
function pointerOf(pointer: unknown): readonly string[] {
  if (pointer === '') return ['root'];
  if (typeof pointer !== 'string' || !pointer.startsWith('/')) throw rejectedPatch();
  return [
    'root',
    ...pointer
      .slice(1)
      .split('/')
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')),
  ];
}

function find(holder: JsonObject, path: readonly string[]): JsonValue {
  const found = lookUp(holder, path);
  if (found === undefined) throw rejectedPatch();
  return found;
}

function lookUp(holder: JsonObject, path: readonly string[]): JsonValue | undefined {
  const { parent, key } = parentOf(holder, path);
  if (Array.isArray(parent)) return parent[indexOf(key, parent.length)];
  return Object.hasOwn(parent, key) ? parent[key] : undefined;
}

function parentOf(holder: JsonObject, path: readonly string[]): { parent: JsonObject | JsonValue[]; key: string } {
  let parent: JsonObject | JsonValue[] = holder;
  for (const part of path.slice(0, -1)) {
    const next: JsonValue | undefined = Array.isArray(parent)
      ? parent[indexOf(part, parent.length)]
      : Object.hasOwn(parent, part)
        ? parent[part]
        : undefined;
    if (!isJsonObject(next) && !Array.isArray(next)) throw rejectedPatch();
    parent = next;
  }
  return { parent, key: path.at(-1) ?? '' };
}

/** The index of an existing place; negative ones count from the end. */
function indexOf(key: string, length: number): number {
  if (!/^-?\d{1,9}$/.test(key)) throw rejectedPatch();
  const index = Number(key);
  const counted = index < 0 ? index + length : index;
  if (counted < 0 || counted >= length) throw rejectedPatch();
  return counted;
}

function add(holder: JsonObject, path: readonly string[], value: JsonValue): void {
  const { parent, key } = parentOf(holder, path);
  if (Array.isArray(parent)) parent.splice(key === '-' ? parent.length : indexOf(key, parent.length + 1), 0, value);
  else setOwn(parent, key, value);
}

function set(holder: JsonObject, path: readonly string[], value: JsonValue): void {
  const { parent, key } = parentOf(holder, path);
  if (Array.isArray(parent)) parent[indexOf(key, parent.length)] = value;
  else setOwn(parent, key, value);
}

function remove(holder: JsonObject, path: readonly string[]): void {
  const { parent, key } = parentOf(holder, path);
  if (Array.isArray(parent)) parent.splice(indexOf(key, parent.length), 1);
  else if (Object.hasOwn(parent, key)) delete parent[key];
  else throw rejectedPatch();
}

function test(holder: JsonObject, path: readonly string[], expected: JsonValue): void {
  if (!jsonEqual(lookUp(holder, path) ?? null, expected)) throw rejectedPatch();
}
