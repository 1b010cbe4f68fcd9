import { describe, expect, it } from 'vitest';
import { parseJsonObject } from './json';

describe('parseJsonObject', () => {
  it('reads an object, and returns undefined for every other text', () => {
    expect(parseJsonObject('{"a":[1,null]}')).toEqual({ a: [1, null] });
    for (const text of ['', 'null', '[]', '"a"', '1', '{"a":', 'undefined', '{}x']) {
      expect(parseJsonObject(text), text).toBeUndefined();
    }
  });
});
