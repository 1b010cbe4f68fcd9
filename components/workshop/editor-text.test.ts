import { Text } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { changeBetween, rangeOfLine } from './editor-text';

describe('the change between two texts', () => {
  it.each([
    ['abc', 'abXc'],
    ['abc', 'ac'],
    ['aaa', 'aa'],
    ['', 'new'],
    ['old', ''],
    ['one\ntwo\n', 'one\n2\ntwo\n'],
  ])('makes the second of the first: %j, %j', (before, after) => {
    const change = changeBetween(before, after);
    expect(before.slice(0, change?.from) + change?.insert + before.slice(change?.to)).toBe(after);
  });

  it('leaves out what both have, and is nothing for equal texts', () => {
    expect(changeBetween('name: a\nkind: b\n', 'name: a\nkind: bc\n')).toEqual({ from: 15, to: 15, insert: 'c' });
    expect(changeBetween('same', 'same')).toBeUndefined();
  });
});

describe('the range of a line', () => {
  const doc = Text.of(['a: 1', '  b: 2', '']);

  it('begins at the first character that is no space', () => {
    expect(rangeOfLine(doc, 2)).toEqual([7, 11]);
  });

  it('is that of the nearest line', () => {
    expect(rangeOfLine(doc, 0)).toEqual([0, 4]);
    expect(rangeOfLine(doc, 99)).toEqual([12, 12]);
  });
});
