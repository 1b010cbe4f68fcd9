import { describe, expect, it } from 'vitest';
import { parseStepFileName } from './file-name';

/** Kind, index, words and whether it is a template; or why the name is ignored. */
function parsed(name: string) {
  const result = parseStepFileName(name);
  return typeof result === 'string' ? result : [result.kind, result.index, result.words, result.isTemplate];
}

describe('names of files of a step', () => {
  it('HAR-001: a name says whether objects are expected, forbidden or applied', () => {
    expect(['00-assert.yaml', '00-errors.yaml', '00-foo.yaml'].map(parsed)).toEqual([
      ['assert', 0, 'assert', false],
      ['errors', 0, 'errors', false],
      ['apply', 0, 'foo', false],
    ]);
  });

  it('HAR-002: the index is decimal, with or without leading zeros, and needs no extension', () => {
    expect(['01234-foo.yaml', '1-foo', '01-foo'].map((name) => parsed(name)[1])).toEqual([1234, 1, 1]);
  });

  it('HAR-003: further words keep the kind', () => {
    expect(['00-assert-bar.yaml', '00-errors-bar.yaml'].map((name) => parsed(name)[0])).toEqual(['assert', 'errors']);
  });

  it('HAR-004: all words are the name of the step', () => {
    expect(parsed('00-foo-bar-baz.yaml')).toEqual(['apply', 0, 'foo-bar-baz', false]);
  });

  it('HAR-005: a name without a number and a dash has no index', () => {
    expect(['01.yaml', 'foo.yaml', 'foo-01.yaml'].map((name) => parsed(name).slice(0, 2))).toEqual([
      ['apply', undefined],
      ['apply', undefined],
      ['apply', undefined],
    ]);
  });

  it('HAR-006: other extensions and further dots are ignored', () => {
    for (const name of ['1.foo.yaml', '1-foo.gotmpl', '1-foo.yml', '1-foo.json', '.1-foo.yaml']) {
      expect(parsed(name), name).toContain('name does not follow pattern');
    }
  });

  it('HAR-007: an index that does not fit in 32 bits is ignored', () => {
    expect(parsed(`${'1'.repeat(32)}-foo.yaml`)).toContain('parsing index failed');
    expect(parsed('2147483647-foo.yaml')[1]).toBe(2_147_483_647);
  });

  it('HAR-008: an assert may be a template', () => {
    expect(parsed('00-assert.gotmpl.yaml')).toEqual(['assert', 0, 'assert', true]);
  });

  it('HAR-009: only the first word makes an assert', () => {
    expect(parsed('00-my-assert.yaml')).toEqual(['apply', 0, 'my-assert', false]);
  });

  it('HAR-010: the case of letters does not count', () => {
    expect(parsed('00-ASSERT.yaml')[0]).toBe('assert');
  });
});
