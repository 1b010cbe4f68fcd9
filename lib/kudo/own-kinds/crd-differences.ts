import { arrayAt, isJsonObject, type JsonObject, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';

/** More changes than these are counted. */
const MOST_SHOWN = 40;

/** What an update of a CRD would change, a line each: versions, fields of their schemas, names and conversion. */
export function crdDifferences(live: KubeObject, wanted: KubeObject): string[] {
  const [before, after] = [versionsByName(live), versionsByName(wanted)];
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const lines = [
    ...names.flatMap((name) => versionDifferences(name, before.get(name), after.get(name))),
    ...nameDifferences(live, wanted),
    ...conversionDifference(live, wanted),
  ];
  const more = lines.length - MOST_SHOWN;
  return more <= 0 ? lines : [...lines.slice(0, MOST_SHOWN), `and ${more} more`];
}

function versionsByName(crd: KubeObject): Map<string, JsonObject> {
  const versions = arrayAt(crd.spec, 'versions').filter(isJsonObject);
  return new Map(versions.map((version) => [stringAt(version, 'name') ?? '', version]));
}

function versionDifferences(name: string, before: JsonObject | undefined, after: JsonObject | undefined): string[] {
  if (after === undefined) return [`version ${name} is removed`];
  if (before === undefined) return [`version ${name} is added`];
  const flags = (['served', 'storage'] as const).flatMap((flag) =>
    before[flag] === after[flag]
      ? []
      : [`version ${name} is ${after[flag] === true ? 'now' : 'no longer'} ${WORDS[flag]}`],
  );
  const [old, next] = [before, after].map((version) => fieldsOf(objectAt(version, 'schema', 'openAPIV3Schema'), ''));
  return [...flags, ...fieldDifferences(old ?? new Map(), next ?? new Map()).map((line) => `${name}: ${line}`)];
}

const WORDS = { served: 'served', storage: 'the stored version' } as const;

/** Types of fields by path; what may hold any field has the type `any`. */
function fieldsOf(schema: JsonObject, path: string): Map<string, string> {
  const found = new Map<string, string>();
  if (path === '.metadata') return found;
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const hasMembers = isJsonObject(schema.properties);
  if (path !== '') found.set(path, isOpen && !hasMembers ? 'any' : (stringAt(schema, 'type') ?? 'any'));
  for (const [name, member] of Object.entries(objectAt(schema, 'properties'))) {
    if (isJsonObject(member)) for (const [at, type] of fieldsOf(member, `${path}.${name}`)) found.set(at, type);
  }
  for (const key of ['items', 'additionalProperties'] as const) {
    const inner = schema[key];
    if (isJsonObject(inner)) for (const [at, type] of fieldsOf(inner, `${path}[]`)) found.set(at, type);
  }
  return found;
}

/** Of a field that comes or goes with all below it, only the field itself is named. */
function fieldDifferences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const lines: string[] = [];
  const named = (path: string, known: ReadonlyMap<string, string>) => {
    const parent = path.replace(/(?:\[\]|\.[^.[]+)$/, '');
    return parent === '' || known.has(parent);
  };
  for (const [path, type] of before) {
    const next = after.get(path);
    if (next === undefined && named(path, after)) lines.push(`field ${path} is removed`);
    else if (next !== undefined && next !== type) lines.push(`field ${path} becomes ${next}, and was ${type}`);
  }
  for (const path of after.keys()) {
    if (!before.has(path) && named(path, before)) lines.push(`field ${path} is added`);
  }
  return lines;
}

function nameDifferences(live: KubeObject, wanted: KubeObject): string[] {
  return ['kind', 'singular', 'shortNames', 'categories'].flatMap((key) => {
    const [before, after] = [live, wanted].map((crd) => textOf(objectAt(crd.spec, 'names')[key]));
    return before === after ? [] : [`names.${key} becomes ${after || 'empty'}, and was ${before || 'empty'}`];
  });
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join(', ') : typeof value === 'string' ? value : '';
}

function conversionDifference(live: KubeObject, wanted: KubeObject): string[] {
  const [before, after] = [live, wanted].map((crd) => stringAt(crd.spec, 'conversion', 'strategy') ?? 'None');
  return before === after ? [] : [`conversion of versions becomes ${after}, and was ${before}`];
}
