import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/json';
import { structuralSchema } from '@/lib/kudo/deprecations/structural-schema';

const moved = (schema: JsonObject, keepsUnknown = false) => structuralSchema(schema, { isRoot: false, keepsUnknown });

const intOrString: JsonObject = { 'x-kubernetes-int-or-string': true };
const text: JsonObject = { type: 'string' };

function anything(): JsonObject {
  return { 'x-kubernetes-preserve-unknown-fields': true };
}

function numberOrText(): JsonObject[] {
  return [{ type: 'integer' }, { type: 'string' }];
}

function patterns(): JsonObject {
  return { type: 'string', anyOf: [{ pattern: 'a' }, { pattern: 'b' }] };
}

function notA(): JsonObject {
  return { type: 'string', not: { enum: ['a'] } };
}

describe('a schema of v1beta1 that is made structural', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['a field without a type holds anything', {}, { 'x-kubernetes-preserve-unknown-fields': true }],
    ['a number or a text is int-or-string', { anyOf: [{ type: 'string' }, { type: 'integer' }] }, intOrString],
    ['in any order', { oneOf: [{ type: 'integer' }, { type: 'string' }] }, intOrString],
    ['what is said already stays', { ...intOrString, anyOf: numberOrText() }, intOrString],
    [
      'one type in all alternatives is the type',
      { anyOf: [{ type: 'string', pattern: 'a' }, { type: 'string' }] },
      text,
    ],
    ['alternatives of shapes hold anything', { oneOf: [{ type: 'string' }, { type: 'object' }] }, anything()],
    ['alternatives of values stay', { type: 'string', anyOf: [{ pattern: 'a' }, { pattern: 'b' }] }, patterns()],
    ['what must not be stays when it judges values', { type: 'string', not: { enum: ['a'] } }, notA()],
    ['and goes when it judges shapes', { type: 'string', not: { type: 'string' } }, text],
    ['references go', { type: 'string', $ref: '#/definitions/x', uniqueItems: true }, text],
    [
      'one type for each place of a list is none',
      { items: [{ type: 'string' }] },
      { type: 'array', items: anything() },
    ],
  ])('%s', (_name, before, after) => {
    expect(moved(before)).toEqual(after);
  });

  it('keeps alternatives only of fields that it has', () => {
    const fields = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } };
    const known = [{ required: ['a'] }, { required: ['b'], properties: { b: { minLength: 1 } } }];
    const unknown = [{ required: ['a'] }, { properties: { c: { minLength: 1 } } }];
    expect(moved({ ...structuredClone(fields), oneOf: known })).toEqual({ ...fields, oneOf: known });
    expect(moved({ ...structuredClone(fields), oneOf: unknown })).toEqual(fields);
  });

  it('keeps the keys of lists when every member has them', () => {
    const list = (required: string[]) => ({
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port', 'protocol'],
      items: {
        type: 'object',
        required,
        properties: { port: { type: 'integer' }, protocol: { type: 'string', default: 'TCP' } },
      },
    });
    expect(moved(list(['port']))).toEqual(list(['port']));
    const { type, items } = list([]);
    expect(moved(list([]))).toEqual({ type, items });
  });

  it('keeps unknown fields at every place, as v1beta1 did', () => {
    const inner = () => ({ type: 'object', properties: { a: { type: 'string' } } });
    const keeps = { 'x-kubernetes-preserve-unknown-fields': true };
    expect(moved({ type: 'array', items: inner() }, true)).toEqual({ type: 'array', items: { ...inner(), ...keeps } });
    expect(moved({ type: 'array', items: inner() })).toEqual({ type: 'array', items: inner() });
  });
});
