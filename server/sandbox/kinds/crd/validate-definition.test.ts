import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '@/lib/json/json';
import { CheckedField } from '../base/checked-field';
import { validateDefinitionSchema } from './validate-schema';
import { validateVersions } from './validate-versions';

const KEY = { type: 'string' };
const KEYED = { type: 'object', required: ['k'], properties: { k: KEY } };

/** What is wrong with a definition whose field `f` has this schema; paths begin at `f`. */
function ofField(schema: JsonValue): string[] {
  const root = new CheckedField([], { type: 'object', properties: { f: schema } }, 'root');
  validateDefinitionSchema(root);
  return root.faults.map(({ field, message }) => `${field.replace('root.properties[f]', 'f')}: ${message}`);
}

function listOf(items: JsonValue, more: JsonObject): JsonValue {
  return { type: 'array', items, ...more };
}

const SET = { 'x-kubernetes-list-type': 'set' };
const MAP = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] };
const ATOMIC = 'must be atomic as item of a list with x-kubernetes-list-type=set';

describe('the list types of a definition', () => {
  it.each([
    [listOf(KEY, SET), []],
    [listOf({ type: 'object' }, SET), [`f.items.x-kubernetes-map-type: Invalid value: null: ${ATOMIC}`]],
    [listOf({ type: 'object', 'x-kubernetes-map-type': 'atomic' }, SET), []],
    [listOf(listOf(KEY, {}), SET), []],
    [listOf(KEYED, MAP), []],
  ])('of %j are validated as the API server does', (schema, expected) => {
    expect(ofField(schema)).toEqual(expected);
  });
});

describe('a schema that is not structural', () => {
  it.each([
    [{ type: 'array' }, ['f.items: Required value: must be specified']],
    [
      { type: 'string', pattern: '[a-' },
      [
        'f.pattern: Invalid value: "[a-": must be a valid regular expression, but isn\'t: error parsing regexp: missing closing ]: `[a-`',
      ],
    ],
    [
      { 'x-kubernetes-int-or-string': true, 'x-kubernetes-preserve-unknown-fields': true },
      [
        'f.x-kubernetes-preserve-unknown-fields: Invalid value: true: must be false if x-kubernetes-int-or-string is true',
      ],
    ],
    [
      { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'string' }, { type: 'integer' }] },
      [
        'f.anyOf[0].type: Forbidden: must be empty to be structural',
        'f.anyOf[1].type: Forbidden: must be empty to be structural',
      ],
    ],
  ])('%j is refused with what has to change', (schema, expected) => {
    expect(ofField(schema)).toEqual(expected);
  });
});

describe('what the API server reads of a schema and refuses', () => {
  it.each([
    [{ type: 'string', id: 'x' }, ['f.id: Forbidden: id is not supported']],
    [{ type: 'string', $schema: 'x' }, ['f.$schema: Forbidden: $schema is not supported']],
    [
      { type: 'object', additionalProperties: false, properties: { a: KEY } },
      ['f.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive'],
    ],
  ])('%j', (schema, expected) => {
    expect(ofField(schema)).toEqual(expected);
  });
});

/** What is wrong with the only version of a definition, with these members. */
function ofVersion(more: JsonObject): string[] {
  const spec = { type: 'object', properties: { a: KEY, list: listOf(KEY, {}) } };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  const version = { name: 'v1', served: true, storage: true, schema, ...more };
  const crd = new CheckedField([], { spec: { versions: [version] }, status: { storedVersions: ['v1'] } });
  validateVersions(crd);
  return crd.faults.map(({ field, message }) => `${field}: ${message}`);
}

describe('the parts of a version', () => {
  it.each([
    ['.spec.a', []],
    ['spec.a', ['Invalid value: "spec.a": is an invalid path: expected [ or . but got: spec']],
    ['.spec.zz', ['Invalid value: ".spec.zz": is an invalid path: does not refer to a valid field']],
    ['.spec.list[0]', ['Invalid value: ".spec.list[0]": is an invalid path: array notation is not allowed']],
    ['.', ['Invalid value: ".": is an invalid path: unexpected end of JSON path']],
  ])('include a selectable field at %j', (jsonPath, expected) => {
    const field = 'spec.selectableFields[0].jsonPath';
    expect(ofVersion({ selectableFields: [{ jsonPath }] })).toEqual(expected.map((text) => `${field}: ${text}`));
  });
});
