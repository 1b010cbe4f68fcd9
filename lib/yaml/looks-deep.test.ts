import { describe, expect, it } from 'vitest';
import { lintYaml } from './lint-yaml';
import { looksDeep } from './looks-deep';
import { readYaml, readYamlAsKubernetes, readYamlDocuments, readYamlSource } from './yaml';

const deepTexts: readonly [string, string][] = [
  ['lists in brackets', '['.repeat(200_000)],
  ['lists in brackets that are closed', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
  ['lists in brackets with comments that close them', '[\n# ]\n'.repeat(20_000)],
  ['lists in lists on a line', '- '.repeat(100_000)],
  ['maps as keys of maps', '? '.repeat(100_000)],
  ['lists by indentation', Array.from({ length: 1_500 }, (_, level) => `${' '.repeat(level)}-`).join('\n')],
  ['maps by indentation', Array.from({ length: 1_500 }, (_, level) => `${' '.repeat(level)}a:`).join('\n')],
  ['a slip before depths', `a: [1, 2\nb: {c\n${'['.repeat(100_000)}`],
  ['a second document', `a: 1\n---\n${'- '.repeat(100_000)}`],
];

describe('a text of great depth', () => {
  // A stack that runs out within a regular expression ended the process, at the second such text at the latest.
  it.each(deepTexts)('%s: is refused in words, again and again', (_name, text) => {
    for (let time = 0; time < 3; time++) {
      for (const read of [readYaml, readYamlAsKubernetes, readYamlSource]) {
        const result = read(text);
        if (!result.ok) expect(result.problems[0]?.message).not.toMatch(/stack/);
      }
      expect(readYaml(text).ok).toBe(false);
    }
  });

  it('names the limit and the line', () => {
    const read = readYamlAsKubernetes(`a:\n  ${'['.repeat(5_000)}`);
    expect(read).toMatchObject({ ok: false, problems: [{ line: 2, message: expect.stringContaining('deeper than') }] });
  });

  it('is not read by the editor either', () => {
    const text = '['.repeat(200_000);
    expect(looksDeep(text)).toBe(true);
    expect(readYamlDocuments(text)).toMatchObject([{ ok: false }]);
    expect(lintYaml(text, () => undefined)).toMatchObject([{ severity: 'error' }]);
  });

  it('is not what a text with many brackets one after the other is', () => {
    expect(looksDeep('a: [1, {b: [2]}]\n'.repeat(10_000))).toBe(false);
  });
});
