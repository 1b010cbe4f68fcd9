import { expect, it } from 'vitest';
import { readNamespaces } from './namespaces';

it.each([
  [undefined, []],
  ['', []],
  ['a', ['a']],
  ['team-a, team-b,team-a', ['team-a', 'team-b']],
])('BRAVO_NAMESPACES=%s means %j', (text, names) => {
  expect(readNamespaces({ BRAVO_NAMESPACES: text })).toEqual(names);
});

it.each(['A', 'a,,b', '*'])('BRAVO_NAMESPACES=%s is refused', (text) => {
  expect(() => readNamespaces({ BRAVO_NAMESPACES: text })).toThrow('is no name of a namespace');
});
