import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/json';
import { applyMergePatch, createMergePatch, identityChangedBy, threeWayMergePatch } from './merge-patch';

const jsonWithoutNull = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.string(),
    fc.integer(),
    fc.boolean(),
    tie('object'),
    fc.array(fc.integer()),
  ),
  object: fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), tie('value'), { maxKeys: 4 }),
}));

describe('merge patch', () => {
  it('merges objects, replaces lists and removes by null', () => {
    expect(applyMergePatch({ a: { b: 1, c: 2 }, l: [1, 2] }, { a: { b: null, d: 3 }, l: [9] })).toEqual({
      a: { c: 2, d: 3 },
      l: [9],
    });
  });

  it('drops nulls of new objects, also inside lists', () => {
    expect(applyMergePatch({}, { a: { b: null }, l: [{ x: null, y: 1 }, null] })).toEqual({
      a: {},
      l: [{ y: 1 }, null],
    });
  });

  it('leads from any object to any other', () => {
    fc.assert(
      fc.property(jsonWithoutNull.object, jsonWithoutNull.object, (from, to) => {
        const patch = createMergePatch(from as JsonObject, to as JsonObject);
        expect(JSON.stringify(sorted(applyMergePatch(from as JsonObject, patch)))).toBe(JSON.stringify(sorted(to)));
      }),
      { seed: 7 },
    );
  });

  it('keeps fields of others, removes our dropped ones and overwrites changed ones', () => {
    const original = { spec: { a: 1, gone: 1, list: [1] } };
    const modified = { spec: { a: 1, list: [1, 2], added: {} } };
    const current = { spec: { a: 5, gone: 1, foreign: true, list: [1] }, status: { x: 1 } };
    const patch = threeWayMergePatch(original, modified, current);
    expect(patch).toEqual({ spec: { a: 1, gone: null, list: [1, 2], added: {} } });
    expect(applyMergePatch(current, patch)).toEqual({
      spec: { a: 1, foreign: true, list: [1, 2], added: {} },
      status: { x: 1 },
    });
  });

  it('is empty when current is already as wanted', () => {
    const wanted = { metadata: { labels: { a: 'b' } } };
    expect(threeWayMergePatch(wanted, wanted, { ...wanted, status: {} })).toEqual({});
  });

  it('names the part of an identity that a patch would change', () => {
    expect(identityChangedBy({ kind: 'X' })).toBe('kind');
    expect(identityChangedBy({ metadata: { name: 'x' } })).toBe('metadata.name');
    expect(identityChangedBy({ metadata: { labels: {} } })).toBeUndefined();
  });
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, member]) => [key, sorted(member)]);
}
