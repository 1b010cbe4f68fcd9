import { describe, expect, it } from 'vitest';
import { splitYamlText } from './split-documents';
import { readYamlDocuments } from './yaml';

describe('splitDocuments', () => {
  it.each<[string, string[]]>([
    ['', ['']],
    ['a: 1\n', ['a: 1\n']],
    ['---\na: 1\n', ['a: 1\n']],
    ['# of two\n\n--- # first\na: 1\r\n---\r\nb: 2\n---', ['a: 1\r\n', 'b: 2\n', '']],
    ['text: |\n  ---\n  not here\n----\n', ['text: |\n  ---\n  not here\n----\n']],
  ])('cuts %j', (text, parts) => {
    expect(splitYamlText(text).map((part) => part.text)).toEqual(parts);
  });

  it('returns where each part begins', () => {
    const text = '---\na: 1\n---\n\nb: 2\n';
    const parts = splitYamlText(text);
    expect(parts.map(({ from, line }) => [from, line])).toEqual([
      [4, 1],
      [13, 3],
    ]);
    expect(text.slice(13)).toBe(parts[1]?.text);
  });
});

// Every value was generated with sigs.k8s.io/yaml.
describe('readYamlDocuments', () => {
  const values = (text: string) =>
    readYamlDocuments(text).map((result) => (result.ok ? result.value : result.problems[0]?.message));

  it("reads each document by Go's rules", () => {
    const text = 'a: y\nb: 0o7\nc: 1_000\nd: 08\ne: 1e400\n---\nx: &x {p: 1}\ny: {p: 2, <<: *x}\n';
    expect(values(text)).toEqual([
      { a: true, b: 7, c: 1000, d: 8, e: '1e400' },
      { x: { p: 1 }, true: { p: 1 } },
    ]);
  });

  it('keeps the order of keys', () => {
    const [result] = readYamlDocuments('z: 1\n"on": {b: 1, a: 2}\nc: 3\n');
    expect(JSON.stringify(result?.ok === true && result.value)).toBe('{"z":1,"on":{"b":1,"a":2},"c":3}');
  });

  it('reads the documents after a broken one', () => {
    const results = readYamlDocuments('a: [\n---\nb: 1\n');
    expect(results.map(({ ok }) => ok)).toEqual([false, true]);
  });

  it('counts the line of a problem in the complete text, and refuses duplicate keys', () => {
    const [, second] = readYamlDocuments('a: 1\n---\nb: 1\nb: 2\n');
    expect(second).toMatchObject({ ok: false, problems: [{ path: 'line 4', line: 4 }] });
  });
});
