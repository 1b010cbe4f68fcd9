import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/json';
import { jsonDiff } from './json-diff';
import { applyJsonPatch } from './json-patch';

describe('jsonDiff', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['nothing', { a: { b: 1 } }, { a: { b: 1 } }],
    ['a new member in a new map', {}, { metadata: { annotations: { 'a.b/c~d': 'x' } } }],
    ['a member taken away', { spec: { a: 1, b: 2 } }, { spec: { b: 2 } }],
    ['a list', { spec: { list: [1, 2] } }, { spec: { list: [2] } }],
    ['a map in place of a text', { spec: { a: 'x' } }, { spec: { a: { b: null } } }],
    ['a null in place of a text', { a: 'x' }, { a: null }],
  ])('turns one object into another: %s', (_what, from, to) => {
    expect(applyJsonPatch(from, jsonDiff(from, to))).toEqual(to);
  });

  it('says nothing about what is equal, and writes names as JSON pointers', () => {
    expect(jsonDiff({ a: 1 }, { a: 1 })).toEqual([]);
    const from = { metadata: { annotations: {} } };
    const to = { metadata: { annotations: { 'bravo.kudo.dev/a~b': 'x' } } };
    expect(jsonDiff(from, to)).toEqual([{ op: 'add', path: '/metadata/annotations/bravo.kudo.dev~1a~0b', value: 'x' }]);
  });
});
