import { describe, expect, it } from 'vitest';
import type { JsonValue } from '@/lib/json/json';
import { firstDifference, fullPath, keyPath } from './subset';

/** KUTTL's words for the first difference. */
function compared(expected: JsonValue, actual: JsonValue): string {
  const found = firstDifference(expected, actual);
  return found === undefined ? 'match' : `${keyPath(found.path)}: ${found.message}`;
}

describe('the subset rule', () => {
  it('HAR-020: further keys of the actual map are ignored', () => {
    expect(compared({ hello: 'world' }, { hello: 'world', bye: 'moon' })).toBe('match');
  });

  it('HAR-021: another value is a mismatch, nested too', () => {
    expect(compared({ hello: 'world' }, { hello: 'moon' })).toBe(
      '.hello: value mismatch, expected: world != actual: moon',
    );
    expect(compared({ a: { b: 1 } }, { a: { b: 2 } })).toBe('.a.b: value mismatch, expected: 1 != actual: 2');
  });

  it('HAR-022: a text where a map is expected is a type mismatch', () => {
    expect(compared({ hello: { a: 'b' } }, { hello: 'world' })).toBe(
      '.hello: type mismatch: map[string]interface {} != string',
    );
  });

  it('HAR-023: a missing key is named', () => {
    expect(compared({ hello: 'world' }, {})).toBe('.hello: key is missing from map');
  });

  it('HAR-024: equal lists match', () => {
    expect(compared({ list: [1, 'a', true] }, { list: [1, 'a', true] })).toBe('match');
  });

  it('HAR-025: maps in lists may have further keys', () => {
    expect(compared([{ hello: 'world' }], [{ hello: 'world', bye: 'moon' }])).toBe('match');
  });

  it('HAR-026: lists have the same length', () => {
    expect(compared({ l: [1] }, { l: [1, 2] })).toBe('.l: slice length mismatch: 1 != 2');
  });

  it('HAR-027: another element is a mismatch, and our path has its position', () => {
    const found = firstDifference({ l: [{ a: 1 }, { a: 2 }] }, { l: [{ a: 1 }, { a: 3 }] });
    expect([keyPath(found?.path ?? []), fullPath(found?.path ?? [])]).toEqual(['.l.a', '.l[1].a']);
  });

  it('HAR-028: the order of lists counts', () => {
    expect(compared(['a', 'b'], ['b', 'a'])).toBe(': value mismatch, expected: a != actual: b');
  });

  it('HAR-029: a number is no text', () => {
    expect(compared({ a: 1 }, { a: '1' })).toBe('.a: type mismatch: int64 != string');
    expect(compared({ a: true }, { a: 'true' })).toBe('.a: type mismatch: bool != string');
  });

  it('null needs a key that is null, an empty map any map, an empty list an empty list', () => {
    expect(compared({ a: null }, { a: null })).toBe('match');
    expect(compared({ a: null }, {})).toBe('.a: key is missing from map');
    expect(compared({ a: null }, { a: 'b' })).toBe('.a: type mismatch: <nil> != string');
    expect(compared({ a: {} }, { a: { b: 1 } })).toBe('match');
    expect(compared({ a: [] }, { a: [1] })).toBe('.a: slice length mismatch: 0 != 1');
  });
});
