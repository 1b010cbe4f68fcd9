import { expect, it } from 'vitest';
import { readSources } from './sources';

/** Files that may be longer than 300 lines, each with its reason. */
const LISTED = new Map<string, string>([]);

const sources = readSources();
const lengthOf = (text: string) => text.split('\n').length - 1;

it('no file is longer than 300 lines without a listed reason', () => {
  const long = sources.filter(({ path, text, isTest }) => !isTest && lengthOf(text) > 300 && !LISTED.has(path));
  expect(long.map(({ path, text }) => `${path}: ${lengthOf(text)}`)).toEqual([]);
});

it('the list of long files names only files that are long', () => {
  const stale = [...LISTED.keys()].filter(
    (path) => lengthOf(sources.find((source) => source.path === path)?.text ?? '') <= 300,
  );
  expect(stale).toEqual([]);
});
