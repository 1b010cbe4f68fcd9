import { describe, expect, it } from 'vitest';
import type { JsonValue } from '@/lib/json/json';
import type { JsonSchema } from './json-schema';
import { validateBySchema } from './validate-by-schema';

const spec = (properties: { [name: string]: JsonSchema }, rest: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties: { spec: { type: 'object', properties, ...rest } },
});

const faults = (schema: JsonSchema, value: JsonValue) =>
  validateBySchema({ spec: value }, schema).map(({ field, message }) => `${field}: ${message}`);

describe('validateBySchema', () => {
  it.each<[string, JsonSchema, JsonValue, string]>([
    [
      'a wrong type',
      { type: 'integer' },
      'x',
      'spec.v: Invalid value: "string": spec.v in body must be of type integer: "string"',
    ],
    [
      'a null',
      { type: 'string' },
      null,
      'spec.v: Invalid value: "null": spec.v in body must be of type string: "null"',
    ],
    [
      'too small',
      { type: 'integer', minimum: 1 },
      0,
      'spec.v: Invalid value: 0: spec.v in body should be greater than or equal to 1',
    ],
    [
      'not above an exclusive minimum',
      { type: 'number', minimum: 0, exclusiveMinimum: true },
      0,
      'spec.v: Invalid value: 0: spec.v in body should be greater than 0',
    ],
    [
      'no multiple',
      { type: 'number', multipleOf: 0.1 },
      0.35,
      'spec.v: Invalid value: 0.35: spec.v in body should be a multiple of 0.1',
    ],
    [
      'too long',
      { type: 'string', maxLength: 2, pattern: '^z' },
      'abc',
      'spec.v: Too long: may not be more than 2 bytes',
    ],
    [
      'too short',
      { type: 'string', minLength: 2 },
      'a',
      'spec.v: Invalid value: "a": spec.v in body should be at least 2 chars long',
    ],
    [
      'another pattern',
      { type: 'string', pattern: '^a+$' },
      'b',
      'spec.v: Invalid value: "b": spec.v in body should match \'^a+$\'',
    ],
    [
      'another format',
      { type: 'string', format: 'ipv4' },
      'x',
      'spec.v: Invalid value: "x": spec.v in body must be of type ipv4: "x"',
    ],
    ['no member of an enum', { enum: ['a', 1] }, 'b', 'spec.v: Unsupported value: "b": supported values: "a", "1"'],
    ['too many items', { type: 'array', maxItems: 1 }, [1, 2], 'spec.v: Too many: 2: must have at most 1 items'],
    [
      'too few items',
      { type: 'array', minItems: 1 },
      [],
      'spec.v: Invalid value: 0: spec.v in body should have at least 1 items',
    ],
    [
      'a boolean for int-or-string',
      { 'x-kubernetes-int-or-string': true },
      true,
      'spec.v: Invalid value: "boolean": spec.v in body must be of type integer,string: "boolean"',
    ],
    [
      'excluded by not',
      { not: { enum: [1] } },
      1,
      '<nil>: Invalid value: "": "spec.v" must not validate the schema (not)',
    ],
    [
      'out of the range of its format',
      { type: 'integer', format: 'int32' },
      2 ** 31,
      '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.v',
    ],
  ])('refuses %s', (_name, schema, value, message) => {
    expect(faults(spec({ v: schema }), { v: value })).toEqual([message]);
  });

  it('counts characters, not bytes or halves of surrogates', () => {
    expect(faults(spec({ v: { type: 'string', maxLength: 2 } }), { v: '😀ü' })).toEqual([]);
  });

  it('asks for required members, also where they are null', () => {
    const schema = spec({ v: { type: 'string' } }, { required: ['v', 'w'] });
    expect(faults(schema, { v: null })).toEqual(['spec.v: Required value', 'spec.w: Required value']);
  });

  it('tells which alternatives were tried', () => {
    const oneOf = [{ required: ['x'] }, { required: ['y'] }];
    const schema = spec({ v: { type: 'object', oneOf } });
    expect(faults(schema, { v: {} })).toEqual([
      '<nil>: Invalid value: "": "spec.v" must validate one and only one schema (oneOf). Found none valid',
      'spec.v.x: Required value',
    ]);
    expect(faults(schema, { v: { x: 1, y: 1 } })).toEqual([
      '<nil>: Invalid value: "": "spec.v" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    ]);
  });

  it('ends at once for patterns that would not end on a backtracking engine', () => {
    const schema = spec({ v: { type: 'string', pattern: '^(a+)+$' } });
    expect(faults(schema, { v: `${'a'.repeat(50_000)}b` })).toHaveLength(1);
  });

  it('does not judge again what an update left alone', () => {
    const schema = spec({
      v: { type: 'integer', maximum: 1 },
      l: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
        items: { type: 'object', properties: { n: { type: 'integer', maximum: 1 } } },
      },
    });
    const old = { spec: { v: 9, l: [{ k: 'a', n: 9 }] } };
    const moved = {
      spec: {
        v: 9,
        w: 1,
        l: [
          { k: 'b', n: 1 },
          { k: 'a', n: 9 },
        ],
      },
    };
    expect(validateBySchema(moved, schema, '', old)).toEqual([]);
    expect(validateBySchema({ spec: { v: 8 } }, schema, '', old)).toHaveLength(1);
  });
});
