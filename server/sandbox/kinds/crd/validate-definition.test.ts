import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '@/lib/json/json';
import type { JsonSchema } from '@/lib/schema/json-schema';
import type { Faults } from '../kind-rules';
import { validateConversion } from './validate-conversion';
import { validateDefinitionSchema } from './validate-schema';
import { validateVersions } from './validate-versions';

const KEY = { type: 'string' };
const KEYED = { type: 'object', required: ['k'], properties: { k: KEY } };

/** What is wrong with a definition whose field `f` has this schema; places are told from `f` on. */
function ofField(schema: JsonValue): string[] {
  const faults: Faults = [];
  const root = { type: 'object', properties: { f: schema } } as unknown as JsonSchema;
  validateDefinitionSchema(root, 'root', faults, false);
  return faults.map(({ field, message }) => `${field.replace('root.properties[f]', 'f')}: ${message}`);
}

function ofRoot(schema: JsonObject, hasStatus = false): string[] {
  const faults: Faults = [];
  validateDefinitionSchema(schema as JsonSchema, 'root', faults, hasStatus);
  return faults.map(({ field, message }) => `${field}: ${message}`);
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
    [
      listOf({ ...KEY, nullable: true }, SET),
      ['f.items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is set'],
    ],
    [listOf({ type: 'object' }, SET), [`f.items.x-kubernetes-map-type: Invalid value: null: ${ATOMIC}`]],
    [listOf({ type: 'object', 'x-kubernetes-map-type': 'atomic' }, SET), []],
    [listOf(listOf(KEY, SET), SET), [`f.items.x-kubernetes-list-type: Invalid value: "set": ${ATOMIC}`]],
    [listOf(listOf(KEY, {}), SET), []],
    [listOf(KEYED, MAP), []],
    [
      listOf({ ...KEYED, nullable: true }, MAP),
      ['f.items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is map'],
    ],
    [
      listOf({ ...KEYED, properties: { k: { ...KEY, nullable: true } } }, MAP),
      [
        'f.items.properties[k].nullable: Forbidden: this property is in x-kubernetes-list-map-keys, so it cannot be nullable',
      ],
    ],
    [
      listOf({ ...KEYED, properties: { k: { type: 'object' } } }, MAP),
      [
        'f.items.properties[k].type: Invalid value: "object": must be a scalar type if parent array\'s x-kubernetes-list-type is map',
      ],
    ],
    [
      listOf(KEY, MAP),
      ['f.items.type: Invalid value: "string": must be object if parent array\'s x-kubernetes-list-type is map'],
    ],
    [
      listOf(KEYED, { ...MAP, 'x-kubernetes-list-map-keys': ['k', 'k'] }),
      ['f.x-kubernetes-list-map-keys: Invalid value: ["k","k"]: must not contain duplicate entries'],
    ],
    [
      listOf(KEYED, { ...MAP, 'x-kubernetes-list-map-keys': ['z'] }),
      ['f.x-kubernetes-list-map-keys: Invalid value: ["z"]: entries must all be names of item properties'],
    ],
    [
      listOf(KEYED, { 'x-kubernetes-list-map-keys': ['k'] }),
      ['f.x-kubernetes-list-type: Required value: must be map if x-kubernetes-list-map-keys is non-empty'],
    ],
    [
      { type: 'string', 'x-kubernetes-map-type': 'atomic' },
      ['f.type: Invalid value: "string": must be object if x-kubernetes-map-type is specified'],
    ],
  ])('of %j are told as the API server does', (schema, expected) => {
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
    [
      { type: 'object', not: { default: 'x', 'x-kubernetes-list-type': 'set', properties: { metadata: {} } } },
      [
        'f.not.default: Forbidden: must be undefined to be structural',
        'f.not.properties[metadata]: Forbidden: must not be specified in a nested context',
        'f.not.x-kubernetes-list-type: Forbidden: must be undefined to be structural',
        'f.not.type: Required value: must be array if x-kubernetes-list-type is specified',
      ],
    ],
  ])('%j is refused with what has to change', (schema, expected) => {
    expect(ofField(schema)).toEqual(expected);
  });

  it('is told of fields that only its logic knows', () => {
    expect(ofRoot({ type: 'object', anyOf: [{ properties: { a: { minLength: 1 } } }] })).toEqual([
      'root.properties[a]: Required value: because it is defined in root.anyOf[0].properties[a]',
    ]);
  });

  it('has no additionalProperties and no null at its root', () => {
    expect(ofRoot({ type: 'object', nullable: true, additionalProperties: { type: 'string' } })).toEqual([
      'root.nullable: Forbidden: nullable cannot be true at the root',
      'root.additionalProperties: Forbidden: must not be used at the root',
    ]);
  });

  it('is of one type when it has a status beside it', () => {
    expect(ofRoot({ type: 'object', maxProperties: 3 }, true)[0]).toMatch(
      /^root: Invalid value: .*only \[Description Type .* XValidations\] fields are allowed at the root/,
    );
  });
});

describe('what the API server reads of a schema and refuses', () => {
  it.each([
    [{ type: 'string', id: 'x' }, ['f.id: Forbidden: id is not supported']],
    [{ type: 'string', $schema: 'x' }, ['root: Invalid value: "": OpenAPIV3Schema \'schema\' is not supported']],
    [
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': false },
      ['f.x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined'],
    ],
    [
      { type: 'object', additionalProperties: false, properties: { a: KEY } },
      ['f.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive'],
    ],
  ])('%j', (schema, expected) => {
    expect(ofField(schema)).toEqual(expected);
  });

  it('is a default of what the API server fills itself', () => {
    expect(ofRoot({ type: 'object', properties: { kind: { type: 'string', default: 'Thing' } } })).toEqual([
      'root.properties[kind].default: Forbidden: must not be set in top-level kind',
    ]);
  });
});

/** What is wrong with the only version of a definition, with these members. */
function ofVersion(more: JsonObject): string[] {
  const spec = { type: 'object', properties: { a: KEY, list: listOf(KEY, {}) } };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  const version = { name: 'v1', served: true, storage: true, schema, ...more };
  const faults: Faults = [];
  validateVersions({ spec: { versions: [version] }, status: { storedVersions: ['v1'] } }, faults);
  return faults.map(({ field, message }) => `${field}: ${message}`);
}

describe('the parts of a version', () => {
  it.each([
    [{ deprecationWarning: 'x' }, ['can only be set for deprecated versions']],
    [{ deprecated: true, deprecationWarning: '' }, ['must not be an empty string']],
    [{ deprecated: true, deprecationWarning: 'x'.repeat(257) }, ['must be <= 256 characters long']],
    [
      { deprecated: true, deprecationWarning: 'a\nb' },
      ['must only contain printable UTF-8 characters; non-printable character found at index 1'],
    ],
  ])('include a warning that can be shown: %j', (more, expected) => {
    const shown = JSON.stringify(more.deprecationWarning);
    const field = 'spec.versions[0].deprecationWarning';
    expect(ofVersion(more)).toEqual(expected.map((text) => `${field}: Invalid value: ${shown}: ${text}`));
  });

  it.each([
    ['.spec.a', []],
    ['spec.a', ['Invalid value: "spec.a": is an invalid path: expected [ or . but got: spec']],
    ['.spec.zz', ['Invalid value: ".spec.zz": is an invalid path: does not refer to a valid field']],
    ['.spec.list[0]', ['Invalid value: ".spec.list[0]": is an invalid path: array notation is not allowed']],
    ['.', ['Invalid value: ".": is an invalid path: unexpected end of JSON path']],
    ['', ['Required value']],
  ])('include a selectable field at %j', (jsonPath, expected) => {
    const field = 'spec.selectableFields[0].jsonPath';
    expect(ofVersion({ selectableFields: [{ jsonPath }] })).toEqual(expected.map((text) => `${field}: ${text}`));
  });
});

describe('the conversion of a definition', () => {
  it.each([
    [{ strategy: 'None' }, []],
    [{ strategy: 'Foo' }, ['strategy: Unsupported value: "Foo": supported values: "None", "Webhook"']],
    [
      { strategy: 'None', webhook: { conversionReviewVersions: ['v1'] } },
      ['conversionReviewVersions: Forbidden: should not be set when strategy is not set to Webhook'],
    ],
    [
      { strategy: 'Webhook', webhook: { clientConfig: {}, conversionReviewVersions: ['foo', 'foo'] } },
      [
        'webhookClientConfig: Required value: exactly one of url or service is required',
        'conversionReviewVersions[1]: Invalid value: "foo": duplicate version',
        'conversionReviewVersions: Invalid value: ["foo","foo"]: must include at least one of v1, v1beta1',
      ],
    ],
  ])('%j', (conversion, expected) => {
    const faults: Faults = [];
    validateConversion({ spec: { conversion } }, faults);
    const told = faults.map(({ field, message }) => `${field.replace('spec.conversion.', '')}: ${message}`);
    expect(told).toEqual(expected);
  });
});
