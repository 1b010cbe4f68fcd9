import { describe, expect, it } from 'vitest';
import { formatRows, parseRows } from './structure-rows';

describe('parseRows', () => {
  it('reads lists and maps of plain values', () => {
    expect(parseRows('array', '- a\n- 2\n')).toEqual([
      { key: '', value: 'a' },
      { key: '', value: '2' },
    ]);
    expect(parseRows('map', 'a: true\nb: x\n')).toEqual([
      { key: 'a', value: 'true' },
      { key: 'b', value: 'x' },
    ]);
  });

  it('reads empty text as no rows', () => {
    expect(parseRows('array', '')).toEqual([]);
    expect(parseRows('map', 'null')).toEqual([]);
  });

  it('returns undefined for nested values and for other text', () => {
    expect(parseRows('array', '- [1]')).toBeUndefined();
    expect(parseRows('map', 'a: {b: 1}')).toBeUndefined();
    expect(parseRows('map', '- a')).toBeUndefined();
    expect(parseRows('map', 'a: [')).toBeUndefined();
  });
});

describe('formatRows', () => {
  it.each([
    ['array', '- a\n- 2\n- true\n- 1.5\n'],
    ['map', 'a: 1\nb: text\nc: false\n'],
  ] as const)('gives back a %s as it was read', (type, text) => {
    expect(formatRows(type, parseRows(type, text) ?? [])).toBe(text);
  });

  it('keeps text that only looks like a number', () => {
    expect(formatRows('array', [{ key: '', value: '007' }])).toBe('- "007"\n');
  });

  it('leaves out entries without a key', () => {
    expect(formatRows('map', [{ key: '', value: 'x' }])).toBe('{}\n');
  });
});
