import { isJsonObject, type JsonValue } from '@/lib/json/json';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { itemType, memberType, nodeType } from './node-type';
import { itemElement, printElement } from './path-element';

/** What is wrong with the shape of a configuration, as structured-merge-diff words it: `.nothing: field not declared …`. */
export function typedFaults(value: JsonValue, schema: JsonSchema): string[] {
  const faults: string[] = [];
  check(value, schema, '', faults);
  return faults;
}

function check(value: JsonValue, schema: JsonSchema, path: string, faults: string[]): void {
  if (value === null) return;
  const wanted = scalarName(schema);
  if (wanted !== undefined) {
    if (!isScalarOf(value, schema)) faults.push(`${path}: expected ${wanted}, got ${goValue(value)}`);
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

function scalarName(schema: JsonSchema): string | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) return undefined;
  switch (schema.type) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'integer':
    case 'number':
      return 'numeric (int or float)';
    default:
      return undefined;
  }
}

function isScalarOf(value: JsonValue, schema: JsonSchema): boolean {
  if (schema.type === 'boolean') return typeof value === 'boolean';
  return schema.type === 'string' ? typeof value === 'string' : typeof value === 'number';
}

function goValue(value: JsonValue): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : JSON.stringify(value);
  return `&value.valueUnstructured{Value:${text}}`;
}
