import { expect, it } from 'vitest';
import { pick } from './pick';

it('members are picked in the order of their names, without those that are absent or undefined', () => {
  const from: { a?: number; b?: number | undefined; c: string; d: null } = { c: 'x', b: undefined, d: null };
  expect(JSON.stringify(pick(from, ['d', 'c', 'b', 'a']))).toBe('{"d":null,"c":"x"}');
  expect(Object.keys(pick(from, ['a', 'b']))).toEqual([]);
});
