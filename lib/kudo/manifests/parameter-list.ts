import type { JsonObject, JsonValue } from '@/lib/json/json';
import { writeYaml } from '@/lib/yaml/yaml';
import { defined } from '../package/fields';
import { KUDO_API_VERSION, type ParameterType } from '../types';

/** A parameter as params.yaml has it. */
export interface ParameterEntry {
  readonly name: string;
  readonly displayName?: string;
  readonly description?: string;
  readonly type: ParameterType;
  /** Absent: none. */
  readonly default?: JsonValue | undefined;
  readonly required?: boolean;
  readonly immutable?: boolean;
  readonly secret?: boolean;
  readonly enum?: readonly JsonValue[];
  readonly group?: string;
  readonly trigger?: string;
  readonly advanced?: boolean;
}

/** Titles of the groups, in the order of params.yaml. */
const GROUPS: readonly (readonly [name: string, displayName: string])[] = [
  ['general', 'General'],
  ['image', 'Images'],
  ['network', 'Network'],
  ['access', 'Access'],
  ['storage', 'Storage'],
  ['resources', 'Resources'],
];

/** Collects the parameters of a package; equal ones are one parameter. */
export class ParameterList {
  private readonly entries = new Map<string, ParameterEntry>();

  /** @returns the name under which the parameter is kept: another one when a different parameter has this name */
  add(entry: ParameterEntry): string {
    const key = (each: ParameterEntry) => JSON.stringify([each.type, each.default ?? null, each.secret ?? false]);
    for (let count = 1; ; count++) {
      const name = count === 1 ? entry.name : `${entry.name}_${count}`;
      const known = this.entries.get(name);
      if (known === undefined) this.entries.set(name, { ...entry, name });
      else if (key(known) !== key(entry) || entry.secret === true) continue;
      return name;
    }
  }

  all(): ParameterEntry[] {
    return [...this.entries.values()];
  }
}

/** The text of params.yaml. Groups without a title of ours are named by themselves. */
export function writeParams(entries: readonly ParameterEntry[]): string {
  const used = new Set(entries.flatMap(({ group }) => (group === undefined ? [] : [group])));
  const known = GROUPS.filter(([name]) => used.has(name));
  const others = [...used].filter((name) => !GROUPS.some(([each]) => each === name));
  const groups = [...known, ...others.map((name) => [name, displayTitle(upperSnake(name))] as const)];
  const file: JsonObject = { apiVersion: KUDO_API_VERSION };
  if (groups.length > 0) file.groups = groups.map(([name, displayName]) => ({ name, displayName }));
  file.parameters = entries.map((entry) => defined(entry) as unknown as JsonObject);
  return writeYaml(file);
}

/** `db-max_connections` → `DB_MAX_CONNECTIONS`; `replicaCount` → `REPLICA_COUNT`. */
export function upperSnake(text: string): string {
  const snake = text
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toUpperCase();
  return /^[0-9]/.test(snake) ? `P_${snake}` : snake;
}

/** `DB_STORAGE` → `DB storage`. */
export function displayTitle(name: string): string {
  const words = name.split(/[_\W]+/).map((word) => word.toLowerCase());
  const [first = '', ...rest] = words.map((word) => (ACRONYMS.has(word) ? word.toUpperCase() : word));
  return [first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(' ');
}

const ACRONYMS = new Set(['cpu', 'tls', 'db', 'url', 'api', 'ip', 'id', 'http', 'https', 'dns']);
