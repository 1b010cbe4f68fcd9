import { describe, expect, it } from 'vitest';
import { shortFormSchema } from './short-form';

const schemaOf = (fields: Parameters<typeof shortFormSchema>[0], types = {}) => shortFormSchema(fields, types);

describe('the short form of a schema', () => {
  it('types, lists, maps and nested maps become a structural schema', () => {
    const { schema, problems } = schemaOf({
      size: 'integer',
      ratio: 'float',
      names: '[]string',
      labels: 'map[string]string',
      matrix: '[][]integer',
      free: 'object',
      tls: { secret: 'string' },
    });
    expect(problems).toEqual([]);
    expect(schema).toEqual({
      type: 'object',
      properties: {
        size: { type: 'integer' },
        ratio: { type: 'number' },
        names: { type: 'array', items: { type: 'string' } },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        matrix: { type: 'array', items: { type: 'array', items: { type: 'integer' } } },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        tls: { type: 'object', properties: { secret: { type: 'string' } } },
      },
    });
  });

  it('markers become members of the schema, with values of the type', () => {
    const { schema, problems } = schemaOf({
      size: 'integer | default=3 minimum=1 maximum=7 enum="1,3,5,7"',
      name: String.raw`string | required pattern="^[a-z]+\d$" description="A \"name\" of it"`,
      zone: 'string | immutable validation="self != \'x\'"',
      on: 'boolean | default=false',
      tags: '[]string | default=["a","b c"] maxItems=4',
    });
    expect(problems).toEqual([]);
    expect(schema.required).toEqual(['name']);
    expect(schema.properties).toMatchObject({
      size: { type: 'integer', default: 3, minimum: 1, maximum: 7, enum: [1, 3, 5, 7] },
      name: { pattern: String.raw`^[a-z]+\d$`, description: 'A "name" of it' },
      zone: {
        'x-kubernetes-validations': [
          { rule: 'self == oldSelf', message: 'the field is immutable' },
          { rule: "self != 'x'" },
        ],
      },
      on: { default: false },
      tags: { default: ['a', 'b c'], maxItems: 4 },
    });
  });

  it('an object whose members have defaults is there without being given, unless it has a required member', () => {
    const { schema } = schemaOf({
      a: { b: 'integer | default=1' },
      c: { d: 'integer | default=1', e: 'string | required' },
    });
    expect(schema.properties?.a?.default).toEqual({});
    expect(schema.properties?.c?.default).toBeUndefined();
  });

  it('a field may have a type of the author', () => {
    const { schema, problems } = schemaOf(
      { members: '[]Member' },
      { Member: { name: 'string', weight: 'integer | default=1' } },
    );
    expect(problems).toEqual([]);
    expect(schema.properties?.members?.items?.properties).toEqual({
      name: { type: 'string' },
      weight: { type: 'integer', default: 1 },
    });
  });

  it.each([
    ['text', 'is not a type'],
    ['integer | default=three', '"three" is not a value of type integer'],
    ['string | minimum=1', 'marker "minimum" is for integer and number, and this field is string'],
    ['integer | smallest=1', '"smallest" is not a marker'],
    ['integer | minimum=low', '"minimum" must be a number, not "low"'],
    ['string | required default=a', 'a field with a default cannot be required'],
    ['string | description="never closed', 'the value of marker "description" has no end'],
    ['string | minLength=1 minLength=2', 'marker "minLength" is given twice'],
  ])('%s is refused with the field', (text, message) => {
    const { problems } = schemaOf({ outer: { field: text } });
    expect(problems).toEqual([{ path: ['outer', 'field'], message: expect.stringContaining(message) }]);
  });

  it('a type that contains itself is refused', () => {
    const { problems } = schemaOf({ tree: 'Node' }, { Node: { child: 'Node' } });
    expect(problems[0]?.message).toContain('a type may not contain itself');
  });
});
