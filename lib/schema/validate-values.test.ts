import { describe, expect, it } from 'vitest';
import type { JsonValue } from '@/lib/json/json';
import type { JsonSchema } from './json-schema';
import { validateBySchema } from './validate-by-schema';
import { validateListSets } from './validate-list-sets';

/** What kube-apiserver 1.36.4 said of a value of this schema; places are told as `v`. */
function told(value: JsonValue, schema: JsonSchema): string[] {
  return validateBySchema(value, schema, 'v').map(({ field, message }) => `${field}: ${message}`);
}

describe('what a real API server says of a value', () => {
  it.each<[string, JsonValue, JsonSchema, string[]]>([
    [
      'a fraction where a whole number is asked for is told twice',
      2.5,
      { type: 'integer' },
      [
        'v: Invalid value: "number": v in body must be of type integer: "number"',
        '<nil>: Invalid value: "": Checked value must be of type integer (default format) in v',
      ],
    ],
    [
      'a number beyond int64 is no integer',
      1e20,
      { type: 'string' },
      ['v: Invalid value: "number": v in body must be of type string: "number"'],
    ],
    [
      'a wrong type is told with the format',
      {},
      { type: 'string', format: 'ipv4' },
      ['v: Invalid value: "": v in body must be of type ipv4: ""'],
    ],
    ['a list passes where a text with a format is asked for', [], { type: 'string', format: 'ipv4' }, []],
    [
      'the format of another type counts as none',
      [],
      { type: 'string', format: 'int32' },
      ['v: Invalid value: "array": v in body must be of type string: "array"'],
    ],
    [
      'a list of values is asked for whatever the type',
      {},
      { type: 'string', enum: ['a'] },
      [
        'v: Invalid value: "object": v in body must be of type string: "object"',
        'v: Unsupported value: {}: supported values: "a"',
      ],
    ],
    [
      'a list of values lets no null in',
      null,
      { type: 'string', nullable: true, enum: ['a', null] },
      ['v: Unsupported value: null: supported values: "a", "null"'],
    ],
    [
      'a fraction as factor is cut off for whole numbers',
      6,
      { type: 'number', multipleOf: 0.5 },
      ['v: Invalid value: 0: factor MultipleOf declared for v must be positive: 0'],
    ],
    [
      'fractions are printed as Go prints them',
      1e-7,
      { type: 'number', multipleOf: 0.5 },
      ['v: Invalid value: 1e-07: v in body should be a multiple of 0.5'],
    ],
    [
      'what logic says comes with the wrong type',
      3,
      { type: 'string', not: { minLength: 2 } },
      [
        'v: Invalid value: "integer": v in body must be of type string: "integer"',
        '<nil>: Invalid value: "": "v" must not validate the schema (not)',
      ],
    ],
  ])('%s', (_title, value, schema, expected) => {
    expect(told(value, schema)).toEqual(expected);
  });
});

describe('lists of sets and maps', () => {
  const text: JsonSchema = { type: 'string' };
  const set: JsonSchema = { type: 'array', 'x-kubernetes-list-type': 'set', items: text };
  const map: JsonSchema = {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
    items: { type: 'object', properties: { k: text } },
  };
  const say = (value: JsonValue, schema: JsonSchema) =>
    validateListSets({ v: value }, schema).map(({ field, message }) => `${field}: ${message}`);

  it('tell each value that comes again once', () => {
    const schema = { properties: { v: set } };
    expect(say(['a', 'b', 'a', 'a', 'b'], schema)).toEqual([
      'v[2]: Duplicate value: "a"',
      'v[4]: Duplicate value: "b"',
    ]);
  });

  it('compare keys only, and name members of maps in brackets', () => {
    const schema = { additionalProperties: map };
    expect(say([{ k: 'a' }, { k: 'a', x: 1 }, {}, null], schema)).toEqual([
      '[v][1]: Duplicate value: {"k":"a"}',
      '[v][3]: Duplicate value: {}',
    ]);
  });

  it('of type map hold objects', () => {
    const text = 'Invalid value: 5: must be an object for an array of list-type map';
    expect(say([{ k: 'a' }, 5], { properties: { v: map } })).toEqual([`v[1]: ${text}`]);
  });
});
