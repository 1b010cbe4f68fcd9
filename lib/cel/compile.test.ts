import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/json';
import { compile } from './compile';
import { fromJson } from './json-values';
import { KNOWN_RESULTS } from './known-results-fixture';
import { POLICY_VARIABLES } from './policy-types';
import { showValue } from './show-value-fixture';

const OBJECT: JsonObject = {
  ...{ a: 1, s: 'text', f: 1.5, b: true, n: null, l: [1, 2, 3], ls: ['x', 'y', 'z'], e: {}, el: [] },
  m: { k: 'v', 'a-b': 2 },
  deep: {
    er: {
      x: [
        { name: 'p', v: 5 },
        { name: 'q', v: 6 },
      ],
    },
  },
};
const SCOPE: { readonly [name: string]: JsonObject } = {
  object: OBJECT,
  oldObject: { a: 2, s: 'old', l: [3] },
  params: { limit: 10, names: ['a', 'b'] },
};

/** The result of an expression: its value, its runtime error, or its compile errors; and the cost, -1 when it cannot run. */
function resultOf(text: string, limit = 10_000_000): readonly [string, number] {
  const compiled = compile(text, POLICY_VARIABLES);
  if ('problem' in compiled) {
    const [first = ''] = compiled.problem.replace(/^compilation failed: ERROR: <input>:/, '').split('\n');
    return [first, -1];
  }
  const { value = null, error, cost } = compiled.program.run((name) => fromJson(SCOPE[name] ?? null), limit);
  return [error ?? showValue(value), cost];
}

describe('an expression', () => {
  it.each(KNOWN_RESULTS)('gives what the library of Kubernetes 1.36 gives: %s', (text, result, cost) => {
    expect(resultOf(text)).toEqual([result, cost]);
  });

  it('that cannot be read is shown with the place', () => {
    const compiled = compile("object.a == 1 &&\n  '😀'.size() == 'b'", POLICY_VARIABLES);
    expect(compiled).toEqual({
      problem: [
        "compilation failed: ERROR: <input>:2:14: found no matching overload for '_==_' applied to '(int, string)'",
        " |   '😀'.size() == 'b'",
        ' | ...．.........^',
      ].join('\n'),
    });
  });

  it('stops when its cost exceeds the limit', () => {
    expect(resultOf('object.l.all(x, object.l.all(y, x + y > 0))', 20)).toEqual([
      'operation cancelled: actual cost limit exceeded',
      21,
    ]);
  });

  it('nests at most 250 deep', () => {
    const [problem] = resultOf(`${'('.repeat(300)}1${')'.repeat(300)}`);
    expect(problem).toContain('recursion limit exceeded');
  });

  const many = (count: number, text: string, between: string) =>
    Array.from({ length: count }, () => text).join(between);

  it.each([
    ['a chain of &&', many(12_000, 'true', '&&'), 'true'],
    ['a chain of ||', many(12_000, 'false', '||'), 'false'],
    ['operators in a row', many(240, '1', '+'), 'int:240'],
    ['terms of many operators', many(200, many(240, '1', '+'), '==1||').concat('==1'), 'false'],
    ['too many operators in a row', many(40_000, '1', '+'), '-1:0: max recursion depth exceeded'],
    ['too many relations in a row', many(300, '1', '=='), '-1:0: max recursion depth exceeded'],
    [
      'operators in operators',
      `${'('.repeat(240)}1${`${'+1'.repeat(100)})`.repeat(240)}`,
      '-1:0: max recursion depth exceeded',
    ],
    ['a long choice', `${'true?1:'.repeat(300)}2`, '-1:0: expression recursion limit exceeded: 250'],
    ['many signs', `${'!'.repeat(60_000)}true`, 'true'],
  ])('is as long as cel-go reads it: %s', (_what, text, result) => {
    expect(resultOf(text)[0]).toBe(result);
  });

  it.each([
    ['matches with a hungry pattern in linear time', `'${'a'.repeat(20_000)}b'.matches('^(a+)+$')`],
    ['walks a long list of a macro in place', 'lists.range(20000).map(x, x + 1).size() == 0'],
  ])('%s', (_what, text) => {
    expect(resultOf(text)[0]).toBe('false');
  });
});
