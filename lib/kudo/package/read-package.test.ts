import { describe, expect, it } from 'vitest';
import { OPERATOR_HEAD } from '@/lib/kudo/verify/verify-fixture';
import { parsePackage } from './parse-package';

describe('reading package files', () => {
  const read = (files: [string, string][]) => {
    const parsed = parsePackage(new Map(files));
    return parsed.ok ? parsed : parsed.problems.map(({ path, message }) => `${path}: ${message}`);
  };

  it('PKG-008 PKG-009 PKG-010 an empty operator.yaml is an error, an empty params.yaml is not', () => {
    expect(
      read([
        ['operator.yaml', ''],
        ['params.yaml', ''],
      ]),
    ).toEqual(['operator.yaml:1: failed to parse yaml into valid operator operator.yaml']);
    for (const params of ['', '# words\n', 'parameters:\n']) {
      expect(
        read([
          ['operator.yaml', OPERATOR_HEAD],
          ['params.yaml', params],
        ]),
      ).toMatchObject({ ok: true, package: { parameters: [] } });
    }
  });

  it('PKG-003 PKG-004 PKG-005 PKG-006 PKG-007 two files at the root are read, all below templates/ are templates', () => {
    const parsed = read([
      ['operator.yaml', OPERATOR_HEAD],
      ['params.yaml', 'parameters: [{name: p}]'],
      ['templates/pod-params.yaml', 'a'],
      ['templates/pod-operator.yaml', 'b'],
      ['templates/some/nested/template2.yaml', 'c'],
      ['templates/with/subdirectory/x.yaml', 'd'],
    ]);
    if (Array.isArray(parsed)) throw new Error(parsed.join());
    expect(parsed.package.operator.name).toBe('a');
    expect(parsed.package.parameters.map(({ name }) => name)).toEqual(['p']);
    expect(Object.fromEntries(parsed.package.templates)).toEqual({
      'pod-params.yaml': 'a',
      'pod-operator.yaml': 'b',
      'some/nested/template2.yaml': 'c',
      'with/subdirectory/x.yaml': 'd',
    });
  });

  it('PKG-020 of two templates with one key the one that is walked last counts', () => {
    const parsed = read([
      ['operator.yaml', OPERATOR_HEAD],
      ['params.yaml', ''],
      ['templates/b.yaml', 'below'],
      ['templates/a/templates/b.yaml', 'deeper'],
    ]);
    if (Array.isArray(parsed)) throw new Error(parsed.join());
    expect([...parsed.package.templates]).toEqual([['b.yaml', 'below']]);
  });

  it('PKG-011 PKG-012 a parameter is required and mutable unless it says otherwise', () => {
    const parsed = read([
      ['operator.yaml', OPERATOR_HEAD],
      ['params.yaml', 'parameters: [{name: p}]'],
    ]);
    expect(parsed).toMatchObject({ package: { parameters: [{ name: 'p', required: true, immutable: false }] } });
  });

  it('PKG-013 PKG-014 only one apiVersion is read', () => {
    expect(
      read([
        ['operator.yaml', OPERATOR_HEAD],
        ['params.yaml', 'x: 1\napiVersion: kudo.dev/v1beta2'],
      ]),
    ).toEqual([
      'params.yaml:2: failed to unmarshal parameters file: params.yaml: expecting supported API version kudo.dev/v1beta1 but got kudo.dev/v1beta2',
    ]);
  });

  it('PKG-021 PKG-022 PKG-023 numbers become text, keys match in any case, unknown ones are ignored', () => {
    const parsed = read([
      ['operator.yaml', 'name: a\nOPERATORVERSION: 1.10\nfoo: bar'],
      ['params.yaml', ''],
    ]);
    expect(parsed).toMatchObject({
      package: { operator: { operatorVersion: '1.1' } },
      warnings: [{ file: 'operator.yaml' }],
    });
  });

  it('a wrong shape is named with file and line', () => {
    const problems = read([
      ['operator.yaml', 'name: a\ntasks:\n  deploy: x\n'],
      ['params.yaml', 'parameters:\n- name: [1]\n'],
    ]);
    expect(problems).toEqual(['operator.yaml:2: "tasks" must be a list', 'params.yaml:2: "name" must be a string']);
  });

  it('PKG-017 PKG-018 PKG-019 only .yaml files below templates/ are templates (improved)', () => {
    const parsed = read([
      ['operator.yaml', OPERATOR_HEAD],
      ['params.yaml', ''],
      ['templates/b.yaml', ''],
      ['templates/a.yaml.bak', ''],
      ['templates-old/x.yaml', ''],
      ['templates/params.yaml', ''],
      ['templates/some/nested/two.yaml', ''],
    ]);
    if (Array.isArray(parsed)) throw new Error(parsed.join());
    expect([...parsed.package.templates.keys()]).toEqual(['b.yaml', 'params.yaml', 'some/nested/two.yaml']);
  });
});
