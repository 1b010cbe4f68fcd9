import { describe, expect, it } from 'vitest';
import type { JsonValue } from '@/lib/json/json';
import { lineOfNode, readGoYaml } from './read-go-yaml';

function read(text: string): JsonValue {
  const result = readGoYaml(text);
  if (!result.ok) throw result.error;
  return result.value;
}

// Every expectation was generated with sigs.k8s.io/yaml and gopkg.in/yaml.v2.
describe("a text that Go's reader takes", () => {
  it.each<[string, JsonValue]>([
    ['', null],
    ['# nothing\n', null],
    ['0X1F', 31],
    ['-0o17', -15],
    ['0b-1', -1],
    ['08', 8],
    ['1_000', 1000],
    ['.1_', '.1_'],
    ['.e3', '.e3'],
    ['1e400', '1e400'],
    ['190:20:30', '190:20:30'],
    ['2001-12-14', '2001-12-14'],
    ['18446744073709551615', 2 ** 64],
    ['! 12', '12'],
    ['!!float 1', 1],
    ['!!int "3"', 3],
    ['!!bool "yes"', true],
    ['!!set {a, b}', { a: null, b: null }],
    ['!!binary aGVsbG8=', 'hello'],
    ['!!merge <<', '<<'],
    ['[a: b, ? c : d]', [{ a: 'b' }, { c: 'd' }]],
    ['{?a : b}', { a: 'b' }],
    ['{a:1, b}', { 'a:1': null, b: null }],
    ['[] ]', []],
    ['a: 1\n...\n{', { a: 1 }],
    ['yes: 1\n0.1: 2\n16777217.0: 3\n0x10: 4\n', { true: 1, '0.1': 2, '1.6777216e+07': 3, '16': 4 }],
    ['a: &x {b: 1}\nc: {b: 2, <<: *x, d: 3}\n', { a: { b: 1 }, c: { b: 1, d: 3 } }],
    ['a: &x {b: 1}\nc: {<<: [{b: 3, e: 4}, *x]}\n', { a: { b: 1 }, c: { b: 3, e: 4 } }],
    ['a: |2\n    x\n   y\n\nb: >+\n  x\n  y\n\n   z\n\n', { a: '  x\n y\n', b: 'x y\n\n z\n\n' }],
    ['"a\\\n   b\\x41\\u00e9\\U0001F600"', 'abAé\u{1f600}'],
    ["'it''s\n\n  two\n  lines'", "it's\ntwo lines"],
    ['a\rb', 'a b'],
    ['a\u2028b', 'a\u2028b'],
    ['a: 1\na: 2\n', { a: 2 }],
    ['__proto__: 1', JSON.parse('{"__proto__":1}') as JsonValue],
    ['%TAG !e! tag:yaml.org,2002:\n---\n!e!str 1', '1'],
  ])('%j is %j', (text, value) => {
    expect(read(text)).toEqual(value);
  });

  it('keeps the sign of a zero with a point, and of no other', () => {
    expect([read('-0.0'), read('-0')].map((value) => Object.is(value, -0))).toEqual([true, false]);
  });
});

describe("a text that Go's reader refuses", () => {
  it.each([
    ['...\na', 'did not find expected node content'],
    ['{a: /b?c}', "did not find expected ',' or '}'"],
    ['[a, b', "did not find expected ',' or ']'"],
    ['a: b: c', 'mapping values are not allowed in this context'],
    ['a\nb: c', 'mapping values are not allowed in this context'],
    ['- a\n b: c', 'mapping values are not allowed in this context'],
    ['a:\n  b\nc', "could not find expected ':'"],
    ['a:\n\t b', 'found character that cannot start any token'],
    ['|\n \tx\n\ty', 'found a tab character where an indentation space is expected'],
    ['|0\n x', 'found an indentation indicator equal to 0'],
    ['@a', 'found character that cannot start any token'],
    ['"\\q"', 'found unknown escape character'],
    ['"\\ud800"', 'found invalid Unicode character escape code'],
    ['"a', 'found unexpected end of stream'],
    ['"a\n---\n"', 'found unexpected document indicator'],
    ['%YAML 1.2\n---\na', 'found incompatible YAML document'],
    ['%FOO\n---\na', 'found unknown directive name'],
    ['a\x01', 'control characters are not allowed'],
    ['*x', "unknown anchor 'x' referenced"],
    ['&x [*x]', "anchor 'x' value contains itself"],
    ['&', 'did not find expected alphabetic or numeric character'],
    ['!a!b c', 'found undefined tag handle'],
    ['!!int a', 'cannot decode !!str `a` as a !!int'],
    ['!!binary "a b"', 'invalid base64 data'],
    ['.nan', 'JSON has no value'],
    ['{null: 1}', 'key is null'],
    ['{[a]: 1}', 'key is a list'],
    ['<<: 1', 'map merge requires map'],
    [`${'['.repeat(102)}`, 'nested deeper'],
    [`a: &a [${'x,'.repeat(99)}]\nb: &b [${'*a,'.repeat(99)}]\nc: [${'*b,'.repeat(99)}]`, 'excessive aliasing'],
  ])('%j: %s', (text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});

describe('a document', () => {
  it.each<[string, boolean]>([
    ['a\n', true],
    ['a\n...\n', true],
    ['a\n---\n', false],
    ['a\n...\nb', false],
    ['[] ]', false],
  ])('%j is the complete text: %s', (text, isWhole) => {
    const read = readGoYaml(text);
    expect(read.ok && read.isWhole()).toBe(isWhole);
  });

  it('returns duplicate keys with their lines', () => {
    const read = readGoYaml('a: 1\nb: {c: 1,\n  c: 2}\na: 3\n');
    expect(read.ok && read.duplicates).toEqual([
      { key: 'c', line: 3 },
      { key: 'a', line: 4 },
    ]);
  });

  it('returns the lines of values, also of aliases', () => {
    const read = readGoYaml('a:\n- x\n-\n  b: &y {c: 1}\nd: *y\n');
    const lines = [[], ['a'], ['a', 1, 'b'], ['d', 'c'], ['a', 7], ['z']].map((path) =>
      lineOfNode(read.ok ? read.root : undefined, path),
    );
    expect(lines).toEqual([1, 1, 4, 4, 1, 1]);
  });
});
