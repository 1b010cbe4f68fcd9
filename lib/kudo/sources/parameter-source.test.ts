import { describe, expect, it } from 'vitest';
import type { ParameterSource } from '@/lib/kudo/types';
import { entriesFor, parseSource, sourceProblem, sourceTexts } from './parameter-source';
import { sourceHold, sourcesProblem } from './source-check';
import { absent, fromConfigMap, fromSecret, operatorVersion, reads, resting } from './sources-fixture';

describe('sources of parameters', () => {
  it('are written as kind, object and key, and read back', () => {
    const spec = { parametersFrom: [fromSecret('PASSWORD', 'p.w'), fromConfigMap('HOST')] };
    const texts = sourceTexts(spec);
    expect(texts).toEqual({ PASSWORD: 'Secret/db/p.w', HOST: 'ConfigMap/settings/HOST' });
    expect(parseSource('Secret/db/p.w')).toEqual({ kind: 'Secret', name: 'db', key: 'p.w' });
    expect(['Pod/db/x', 'Secret/db', 'Secret/db/x/y', ''].map(parseSource)).toEqual(Array(4).fill(undefined));
    expect(entriesFor(texts, undefined)).toEqual(spec.parametersFrom);
  });

  it('keep what a text cannot say while they are the same', () => {
    const spec = { parametersFrom: [fromSecret('PASSWORD', 'p', 'db', true)] };
    expect(entriesFor({ PASSWORD: 'Secret/db/p' }, spec)).toBe(spec.parametersFrom);
  });

  it.each<[string, ParameterSource[], string | undefined]>([
    ['two good ones', [fromSecret('A'), fromConfigMap('B')], undefined],
    ['no name', [{ secretKeyRef: { name: 'db', key: 'k' } }], 'has no name'],
    ['the same twice', [fromSecret('A'), fromConfigMap('A')], '"A" exists twice'],
    ['no reference', [{ name: 'A' }], 'exactly one of secretKeyRef and configMapKeyRef'],
    ['both references', [{ ...fromSecret('A'), ...fromConfigMap('A') }], 'exactly one of'],
    ['a bad name of an object', [fromSecret('A', 'k', 'No_Name')], 'name "No_Name" is not valid'],
    ['no key', [{ name: 'A', secretKeyRef: { name: 'db' } }], 'key "" is not valid'],
    ['a key with a slash', [fromSecret('A', 'a/b')], 'key "a/b" is not valid'],
  ])('have a shape: %s', (_, parametersFrom, problem) => {
    const found = sourceProblem({ parametersFrom });
    if (problem === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(problem);
  });

  it('stand beside no value of the same parameter', () => {
    const problem = sourcesProblem({ parameters: { PASSWORD: 'x' }, parametersFrom: [fromSecret('PASSWORD')] });
    expect(problem).toContain('"PASSWORD" has a value in spec.parameters and a source in spec.parametersFrom');
  });
});

describe('a plan is held', () => {
  const hold = (parametersFrom: ParameterSource[], found: Parameters<typeof reads>[0]) =>
    sourceHold(resting({ parametersFrom }, ''), operatorVersion, reads(found));

  it('by a key that does not exist, unless it is optional', () => {
    const found = { 'Secret/db/PASSWORD': absent() };
    expect(hold([fromSecret('PASSWORD')], found)).toEqual({
      kind: 'waits',
      message: 'Secret db: the key PASSWORD does not exist; the plan waits for it.',
    });
    expect(hold([fromSecret('PASSWORD', 'PASSWORD', 'db', true)], found)).toBeUndefined();
  });

  it('by an object that cannot be read, even if it is optional', () => {
    const found = { 'Secret/db/PASSWORD': { problem: 'Secret db cannot be read', isAbsent: false } };
    expect(hold([fromSecret('PASSWORD', 'PASSWORD', 'db', true)], found)?.kind).toBe('waits');
  });

  it('by a value that does not fit, which no message shows', () => {
    const held = hold([fromConfigMap('SIZE')], { 'ConfigMap/settings/SIZE': 'hunter2' });
    expect(held?.kind).toBe('refused');
    expect(held?.message).toContain('(ConfigMap settings, key SIZE)');
    expect(held?.message).not.toContain('hunter2');
  });
});
