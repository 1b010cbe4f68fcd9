import { describe, expect, it } from 'vitest';
import type { Instance, OperatorVersion, Parameter, Plan } from '../types';
import { parameterRows } from './parameter-rows';
import { planDifferences } from './plan-differences';

const version = (name: string, parameters: Parameter[], plans: { [name: string]: Plan } = {}): OperatorVersion => ({
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'OperatorVersion',
  metadata: { name },
  spec: { parameters, plans },
});
const instance = (parameters: { [name: string]: string }, parametersFrom: object[] = []): Instance =>
  ({
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: { name: 'db' },
    spec: { parameters, parametersFrom },
  }) as Instance;

/** One row for each parameter: name, change, default, now, new, notes, problem. */
function rows(before: Parameter[], after: Parameter[], values: { [name: string]: string } = {}, given = {}) {
  const found = parameterRows(instance(values), version('a', before), version('b', after), given);
  return found.map(({ name, change, defaultBefore, now, next, notes, problem }) => [
    ...[name, change, defaultBefore, now, next],
    ...[notes.join('; '), problem],
  ]);
}

describe('the parameters of an upgrade', () => {
  it('are left out when nothing about them differs', () => {
    expect(rows([{ name: 'A', default: '1' }], [{ name: 'A', default: '1' }], { A: '2' })).toEqual([]);
  });

  it('have the default, the present and the new value', () => {
    const before = [
      { name: 'A', default: '1' },
      { name: 'B', default: '1' },
      { name: 'GONE', default: 'x' },
    ];
    const after = [
      { name: 'A', default: '2' },
      { name: 'B', default: '2' },
      { name: 'NEW', default: 'n' },
    ];
    expect(rows(before, after, { B: '7' })).toEqual([
      ['A', 'changed', '1', '1', '2', 'default 2 instead of 1', undefined],
      ['B', 'changed', '1', '7', '7', 'default 2 instead of 1', undefined],
      ['NEW', 'added', undefined, undefined, 'n', '', undefined],
      ['GONE', 'removed', 'x', 'x', undefined, '', undefined],
    ]);
  });

  it('show values that the new version does not accept', () => {
    const before = [{ name: 'A' }, { name: 'B' }];
    const after: Parameter[] = [
      { name: 'A', 'value-type': 'integer' },
      { name: 'B', enum: ['x', 'y'] },
      { name: 'C', required: true },
    ];
    const found = rows(before, after, { A: 'many', B: 'z' });
    expect(found.map((row) => [row[0], row[5]])).toEqual([
      ['A', 'type integer instead of string'],
      ['B', 'allowed values x, y instead of any value'],
      ['C', ''],
    ]);
    expect(found.map((row) => row[6])).toEqual([
      expect.stringContaining('parameter "A" has an invalid value "many"'),
      expect.stringContaining('only allowed values are [x y]'),
      'parameter "C" is required but has no value set',
    ]);
    expect(
      rows(before, after, { A: 'many', B: 'z' }, { A: '3', B: 'x', C: 'c' }).map((row) => [row[4], row[6]]),
    ).toEqual([
      ['3', undefined],
      ['x', undefined],
      ['c', undefined],
    ]);
  });

  it('mask secret values, also in problems and notes', () => {
    const before = [{ name: 'PASSWORD', default: 'hunter1' }];
    const after: Parameter[] = [{ name: 'PASSWORD', default: 'hunter2', enum: ['one'] }];
    const text = JSON.stringify(rows(before, after, { PASSWORD: 'hunter3' }));
    expect(text).not.toContain('hunter');
    expect(text).toContain('another default');
  });

  it('name the source of a value, and not the value', () => {
    const source = { name: 'A', secretKeyRef: { name: 'db', key: 'a' } };
    const before = version('a', [{ name: 'A', default: '1' }]);
    const [row] = parameterRows(instance({}, [source]), before, version('b', [{ name: 'A', default: '2' }]));
    expect(row).toMatchObject({ now: expect.stringContaining('from '), isOwn: true });
  });

  it('say what became of required, immutable and trigger', () => {
    const before: Parameter[] = [{ name: 'A', required: true, default: '1' }];
    const after: Parameter[] = [{ name: 'A', default: '1', immutable: true, trigger: 'backup' }];
    expect(rows(before, after)[0]?.[5]).toBe('no longer required; now immutable; trigger backup instead of default');
  });
});

describe('the plans of an upgrade', () => {
  const plan = (steps: { [place: string]: string[] }, strategy = 'serial'): Plan => {
    const phases = new Map<string, { name: string; tasks: string[] }[]>();
    for (const [place, tasks] of Object.entries(steps)) {
      const [phase = '', name = ''] = place.split('/');
      phases.set(phase, [...(phases.get(phase) ?? []), { name, tasks }]);
    }
    return { strategy, phases: [...phases].map(([name, own]) => ({ name, strategy: 'serial', steps: own })) };
  };
  const between = (before: { [name: string]: Plan }, after: { [name: string]: Plan }) =>
    planDifferences(version('a', [], before), version('b', [], after));

  it('are left out when they are the same', () => {
    expect(between({ deploy: plan({ 'a/b': ['x'] }) }, { deploy: plan({ 'a/b': ['x'] }) })).toEqual([]);
  });

  it('show added, removed and changed steps', () => {
    const [found] = between(
      { deploy: plan({ 'a/one': ['x'], 'a/two': ['y'] }) },
      { deploy: plan({ 'a/one': ['x', 'z'], 'b/three': [] }) },
    );
    expect(found).toEqual({
      plan: 'deploy',
      change: 'changed',
      added: ['b / three: no tasks'],
      removed: ['a / two: y'],
      changed: ['a / one: x → x, z'],
      isReordered: false,
    });
  });

  it('show added and removed plans with their steps', () => {
    const found = between({ old: plan({ 'a/b': ['x'] }) }, { toString: plan({ 'a/b': ['x'] }) });
    expect(found.map(({ plan: name, change, added, removed }) => [name, change, added, removed])).toEqual([
      ['old', 'removed', [], ['a / b: x']],
      ['toString', 'added', ['a / b: x'], []],
    ]);
  });

  it('say when steps run in another order, or with another strategy', () => {
    const [order] = between({ p: plan({ 'a/1': [], 'a/2': [] }) }, { p: plan({ 'a/2': [], 'a/1': [] }) });
    expect(order).toMatchObject({ isReordered: true, added: [], removed: [] });
    const [strategy] = between({ p: plan({ 'a/1': [] }) }, { p: plan({ 'a/1': [] }, 'parallel') });
    expect(strategy).toMatchObject({ isReordered: true });
  });
});
