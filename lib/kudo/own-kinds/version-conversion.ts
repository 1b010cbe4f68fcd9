import type { JsonSchema } from '@/lib/schema/json-schema';
import type { OwnKind, OwnVersion } from './types';

/**
 * Why two versions of a kind cannot share stored objects, as a sentence; undefined when they can. Bravo has no conversion webhook, so a
 * version may only leave out fields that the storage version has.
 */
export function conversionProblem(storage: OwnVersion, other: OwnVersion): string | undefined {
  const found = differing(storage.schema, other.schema, '');
  if (found === undefined) return undefined;
  const help = `Versions are not converted: give ${found.field} another name, and keep it in the storage version ${storage.name}.`;
  return `version ${other.name} ${found.how} ${found.field}, so objects that are stored in version ${storage.name} cannot be read in it. ${help}`;
}

interface Difference {
  readonly field: string;
  readonly how: string;
}

function differing(storage: JsonSchema, other: JsonSchema, field: string): Difference | undefined {
  if (storage.type !== other.type) return { field, how: `has another type (${other.type}, not ${storage.type}) for` };
  if (storage['x-kubernetes-preserve-unknown-fields'] === true) return undefined;
  for (const [name, schema] of Object.entries(other.properties ?? {})) {
    const place = `${field}.${name}`;
    if (place === '.status') continue;
    const stored = storage.properties?.[name];
    if (stored === undefined) return { field: place, how: `has the additional field` };
    const found = differing(stored, schema, place);
    if (found !== undefined) return found;
  }
  const [items, otherItems] = [storage.items, other.items];
  if (items !== undefined && otherItems !== undefined) return differing(items, otherItems, `${field}[]`);
  return undefined;
}

/** Names of versions that occur twice, and whether exactly one is the storage version. */
export function versionSetProblem({ versions }: OwnKind): string | undefined {
  const names = versions.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return `version ${twice} occurs twice`;
  const stored = versions.filter(({ storage }) => storage).length;
  if (stored !== 1) return `exactly one version must have "storage: true", and ${stored} have it`;
  return versions.some(({ served }) => served) ? undefined : 'no version is served';
}
