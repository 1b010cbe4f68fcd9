import { describe, expect, it } from 'vitest';
import type { JsonValue } from '@/lib/json/json';
import { missingParameters } from '@/lib/kudo/parameters/parameters';
import { unwrapParameters } from '@/lib/kudo/rendering/unwrap';
import { OPERATOR_HEAD } from '@/lib/kudo/verify/verify-fixture';
import { parsePackage } from './parse-package';
import { conversionProblems, packageToObjects, parameterOf } from './to-objects';
import type { OperatorPackage } from './types';

function read(params: string, operator = '', templates: { [path: string]: string } = {}): OperatorPackage {
  const files = new Map([
    ['operator.yaml', OPERATOR_HEAD + operator],
    ['params.yaml', params],
    ...Object.entries(templates),
  ]);
  const parsed = parsePackage(files);
  if (!parsed.ok) throw new Error(parsed.problems.map(({ message }) => message).join());
  return parsed.package;
}

const stored = (declaration: string) => {
  const [parameter] = read(`parameters: [{name: p, ${declaration}}]`).parameters;
  if (parameter === undefined) throw new Error(declaration);
  return parameterOf(parameter);
};

describe('a package becomes objects', () => {
  it('PKG-032 all problems of tasks are reported at once, one line each', () => {
    const tasks = `tasks:
- {name: one, kind: Apply, spec: {resources: [a.yaml, b.yaml]}}
- {name: two, kind: Toggle, spec: {resources: []}}
`;
    expect(conversionProblems(read('', tasks))).toEqual([
      'task one missing template: a.yaml',
      'task one missing template: b.yaml',
      'toggle task two does not have parameter specified',
    ]);
  });

  it('PKG-034 the parameter file of a child must exist', () => {
    const spec = 'spec: {package: x, operatorVersion: 1.0.0, parameterFile: F}';
    const child = (files: { [path: string]: string }) =>
      conversionProblems(read('', `tasks: [{name: T, kind: KudoOperator, ${spec}}]\n`, files));
    expect(child({})).toEqual(['task T missing template: F']);
    expect(child({ 'templates/F.yaml': '' })).toHaveLength(1);
  });

  it.each<[string, string, string]>([
    ['PKG-035 a whole number', 'default: 3', '3'],
    ['PKG-036 a large number', 'default: 1000000', '1e+06'],
    ['PKG-037 a boolean', 'default: true', 'true'],
    ['PKG-038 a list', 'type: array, default: [a, b]', '- a\n- b\n'],
    ['PKG-042 a map', 'type: map, default: {b: b, a: a}', 'a: a\nb: b\n'],
  ])('%s is stored as text', (_what, declaration, text) => {
    expect(stored(declaration).default).toBe(text);
  });

  it('PKG-039 (differs, T-44) a required map without a default has none, and a value is required', () => {
    const { operatorVersion } = packageToObjects(read('parameters: [{name: p, type: map, required: true}]'), {
      namespace: 'n',
    });
    expect(operatorVersion.spec?.parameters).toEqual([
      { name: 'p', 'value-type': 'map', required: true, immutable: false },
    ]);
    expect(missingParameters(operatorVersion, {})).toEqual(['p']);
    // Versions that KUDO's command line made hold the text null, and count as having a default.
    const made = { ...operatorVersion, spec: { parameters: [{ ...stored('type: map'), default: 'null\n' }] } };
    expect(missingParameters(made, {})).toEqual([]);
    expect(unwrapParameters(made, {}).p).toBeNull();
  });

  it.each([
    ['an empty default', 'type: array, default: '],
    ['an empty default and required: true', 'type: map, required: true, default: null'],
    ['no default and no required', 'type: array'],
  ])('a list or map with %s is null and not required, as in KUDO (T-44)', (_what, declaration) => {
    const { operatorVersion } = packageToObjects(read(`parameters: [{name: p, ${declaration}}]`), { namespace: 'n' });
    expect(operatorVersion.spec?.parameters?.[0]?.default).toBe('null\n');
    expect(missingParameters(operatorVersion, {})).toEqual([]);
    expect(unwrapParameters(operatorVersion, {}).p ?? []).toEqual([]);
  });

  it('an optional list has no default, and neither has a text with an empty one', () => {
    expect(stored('type: array, required: false').default).toBeUndefined();
    expect(stored('default: null').default).toBeUndefined();
  });

  it('PKG-040 members of an enum are strings', () => {
    expect(stored('enum: [1, 2]').enum).toEqual(['1', '2']);
  });

  it('PKG-041 group, hint and advanced are not fields of a parameter', () => {
    const params =
      'groups: [{name: g}]\nparameters: [{name: p, group: g, hint: h, advanced: true, required: false, default: x}]';
    const { operatorVersion } = packageToObjects(read(params), { namespace: 'n' });
    const plain: JsonValue = { name: 'p', required: false, immutable: false, default: 'x' };
    expect(operatorVersion.spec?.parameters).toEqual([plain]);
    expect(Object.keys(operatorVersion.spec ?? {})).not.toContain('groups');
  });
});
