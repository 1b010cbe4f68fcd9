import { describe, expect, it } from 'vitest';
import type { JsonValue } from '@/lib/json/json';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { defaultBySchema, pruneNulls } from './default-by-schema';
import { pruneBySchema } from './prune-by-schema';

const spec = (properties: { [name: string]: JsonSchema }): JsonSchema => ({
  type: 'object',
  properties: { spec: { type: 'object', properties } },
});

describe('defaultBySchema', () => {
  const schema = spec({
    s: { type: 'string', default: 'x' },
    o: { type: 'object', default: {}, properties: { a: { type: 'string', default: 'deep' } } },
    p: { type: 'object', properties: { a: { type: 'string', default: 'only if p' } } },
    l: { type: 'array', items: { type: 'object', properties: { d: { type: 'integer', default: 1 } } } },
    n: { type: 'string', nullable: true, default: 'x' },
    m: { type: 'object', additionalProperties: { type: 'object', properties: { d: { default: true } } } },
  });

  it('fills absent members at every depth, and nulls that may not be', () => {
    const value = { spec: { s: null, l: [{}, { d: 5 }], n: null, m: { k: {} } } };
    defaultBySchema(value, schema);
    expect(value).toEqual({
      spec: { s: 'x', o: { a: 'deep' }, l: [{ d: 1 }, { d: 5 }], n: null, m: { k: { d: true } } },
    });
  });

  it('gives every object its own copy of a default', () => {
    const [a, b] = [{ spec: {} }, { spec: {} }] as { spec: { o?: { a: string } } }[];
    for (const value of [a, b]) defaultBySchema(value as JsonValue, schema);
    if (a?.spec.o !== undefined) a.spec.o.a = 'changed';
    expect(b?.spec.o).toEqual({ a: 'deep' });
  });
});

describe('pruneBySchema', () => {
  it('removes fields that the schema does not have and reports their paths', () => {
    const schema = spec({
      keep: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { k: { type: 'object' } } },
      list: { type: 'array', items: { type: 'object', properties: { a: {} } } },
      open: { type: 'object', additionalProperties: { type: 'string' } },
    });
    const value = {
      apiVersion: 'v1',
      metadata: { odd: 1 },
      zz: 1,
      spec: { keep: { any: { thing: 1 }, k: { z: 2 } }, list: [{ a: 1, b: 2 }], open: { free: 'x' }, q: 1 },
    };
    expect(pruneBySchema(value, schema, 'root')).toEqual(['spec.keep.k.z', 'spec.list[0].b', 'spec.q', 'zz']);
    expect(value.spec).toEqual({ keep: { any: { thing: 1 }, k: {} }, list: [{ a: 1 }], open: { free: 'x' } });
    expect(value.metadata).toEqual({ odd: 1 });
  });
});

describe('what is taken out before a value is validated', () => {
  it('is a null where the schema neither allows it nor has a default', () => {
    const schema: JsonSchema = {
      properties: {
        plain: { type: 'string' },
        open: { type: 'string', nullable: true },
        filled: { type: 'string', default: 'x' },
        inner: { additionalProperties: { type: 'string' } },
        list: { items: { type: 'string' } },
      },
    };
    const value = { plain: null, open: null, filled: null, inner: { a: null, b: 'x' }, list: [null], unknown: null };
    pruneNulls(value, schema);
    expect(value).toEqual({ open: null, filled: null, inner: { b: 'x' }, list: [null], unknown: null });
  });

  it('is all that lies in members of which only the names are free', () => {
    const value = { any: { a: 'x', b: { c: 1 } } };
    expect(pruneBySchema(value, { properties: { any: { additionalProperties: true } } })).toEqual(['any.b.c']);
    expect(value).toEqual({ any: { a: 'x', b: {} } });
  });
});
