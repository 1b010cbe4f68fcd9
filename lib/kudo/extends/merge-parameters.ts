import { arrayAt, isJsonObject, type JsonObject, type JsonValue, stringAt } from '@/lib/json/json';
import type { Conflicts } from './flatten';

/**
 * The parameters and groups of the base with those of the extending package: an entry with a name of the base changes it, `hidden: true`
 * fixes it at its default, every other one is new. `own` has the indexes of the entries in the extending file, by name.
 */
export function mergeParameters(conflicts: Conflicts): { file: JsonObject; own: Map<string, number> } {
  const base = conflicts.base['params.yaml'].value;
  const added = conflicts.own['params.yaml'].value;
  const parameters = new Map<string, JsonObject>(entriesOf(base, 'parameters'));
  const places = new Map([...parameters.keys()].map((name, index) => [name, index]));
  const own = new Map<string, number>();
  arrayAt(added, 'parameters').forEach((entry, index) => {
    if (!isJsonObject(entry)) return;
    const name = stringAt(entry, 'name') ?? '';
    own.set(name, index);
    const before = parameters.get(name);
    const basePath = ['parameters', places.get(name) ?? 0];
    const conflict = (message: string) =>
      conflicts.add('params.yaml', ['parameters', index], message, before === undefined ? undefined : basePath);
    parameters.set(name, mergedEntry(entry, before, conflict));
  });
  const groups = new Map([...entriesOf(base, 'groups'), ...entriesOf(added, 'groups')]);
  const file: JsonObject = isJsonObject(base) ? { ...base } : {};
  if (groups.size > 0) file.groups = [...groups.values()];
  file.parameters = [...parameters.values()];
  return { file, own };
}

function mergedEntry(
  { hidden, ...entry }: JsonObject,
  before: JsonObject | undefined,
  conflict: (message: string) => void,
): JsonObject {
  const name = String(entry.name ?? '');
  if (before === undefined) {
    if (hidden !== undefined) conflict(`The base has no parameter ${name} that could be hidden.`);
    return entry;
  }
  if (entry.type !== undefined && before.type !== undefined && entry.type !== before.type) {
    const message = `The base has a parameter ${name} of the type ${String(before.type)} too. Give yours another name.`;
    conflict(message);
  }
  const merged = { ...before, ...entry };
  if (hidden !== true) return merged;
  const value = merged.default ?? null;
  if (value === null) conflict(`The parameter ${name} cannot be hidden without a default. Give it one here.`);
  return fixed(merged, value);
}

/** A hidden parameter has one value: every client of KUDO refuses another one. KUDO cannot compare lists and maps of an enum. */
function fixed(entry: JsonObject, value: JsonValue): JsonObject {
  const isScalar = typeof value !== 'object';
  return { ...entry, ...(isScalar ? { enum: [value] } : {}), immutable: true, advanced: true };
}

function entriesOf(file: JsonValue, key: string): [string, JsonObject][] {
  return arrayAt(file, key)
    .filter(isJsonObject)
    .map((entry) => [stringAt(entry, 'name') ?? '', entry]);
}
