import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json';

describe('the canonical JSON of a value', () => {
  it('does not depend on the order of members, and leaves out what is undefined', () => {
    expect(canonicalJson({ b: [1, { d: null, c: 'x' }], a: true, e: undefined })).toBe(
      '{"a":true,"b":[1,{"c":"x","d":null}]}',
    );
  });

  it('is the same again after it was parsed, also of a member __proto__', () => {
    const text = '{"__proto__":{"a":1},"z":"\\u0000\\r<é😀"}';
    expect(canonicalJson(JSON.parse(text))).toBe(text);
  });

  it('has half of a character replaced, as the API server does', () => {
    expect(canonicalJson(['😀'.slice(0, 1), '😀'])).toBe('["\ufffd","😀"]');
  });
});
