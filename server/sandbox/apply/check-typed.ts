import { isJsonObject, type JsonValue } from '@/lib/json/json';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { itemElement, itemType, memberType, nodeType, printElement } from './node-type';

/** What is wrong with the shape of a configuration, as structured-merge-diff words it: `.nothing: field not declared …`. */
export function typedFaults(value: JsonValue, schema: JsonSchema): string[] {
  const faults: string[] = [];
  check(value, schema, '', faults);
  return faults;
}

function check(value: JsonValue, schema: JsonSchema, path: string, faults: string[]): void {
  if (value === null) return;
  if (schema['x-kubernetes-int-or-string'] === true) return;
  const wanted = SCALARS.get(schema.type ?? '');
  if (wanted !== undefined) {
    if (typeof value !== wanted.type) faults.push(`${path}: expected ${wanted.name}, got ${goValue(value)}`);
    return;
  }
  if (schema.type === 'array') {
    if (Array.isArray(value)) checkList(value, schema, path, faults);
    else faults.push(`${path}: expected list, got ${goValue(value)}`);
  } else if (schema.type === 'object' || (isJsonObject(value) && schema.properties !== undefined)) {
    if (isJsonObject(value)) checkMap(value, schema, path, faults);
    else faults.push(`${path}: expected map, got ${goValue(value)}`);
  }
}

function checkMap(value: { [name: string]: JsonValue }, schema: JsonSchema, path: string, faults: string[]): void {
  if (
    nodeType(schema, value) === 'atomic' &&
    schema.properties === undefined &&
    schema.additionalProperties === undefined
  )
    return;
  for (const [name, member] of Object.entries(value)) {
    const found = memberType(schema, name);
    if (found === undefined) faults.push(`${path}.${name}: field not declared in schema`);
    else check(member, found.schema, `${path}.${name}`, faults);
  }
}

function checkList(list: readonly JsonValue[], schema: JsonSchema, path: string, faults: string[]): void {
  const keyed = nodeType(schema, list as JsonValue) === 'list';
  const seen = new Set<string>();
  for (const [index, item] of list.entries()) {
    const element = keyed ? itemElement(schema, item) : `i:${index}`;
    if (element === undefined) {
      const keys = (schema['x-kubernetes-list-map-keys'] ?? []).map((key) => JSON.stringify(key)).join(' ');
      const text = `associative list with keys has an element that omits all key fields [${keys}]`;
      faults.push(`${path}: element ${index}: ${text} (and doesn't have default values for any key fields)`);
      continue;
    }
    const printed = printElement(element);
    if (keyed && seen.has(element)) faults.push(`${path}: duplicate entries for key ${printed}`);
    seen.add(element);
    check(item, itemType(schema), `${path}${printed}`, faults);
  }
}

const SCALARS = new Map([
  ['string', { name: 'string', type: 'string' }],
  ['boolean', { name: 'boolean', type: 'boolean' }],
  ['integer', { name: 'numeric (int or float)', type: 'number' }],
  ['number', { name: 'numeric (int or float)', type: 'number' }],
]);

function goValue(value: JsonValue): string {
  return `&value.valueUnstructured{Value:${JSON.stringify(value)}}`;
}
