import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import { SECRET_MARK } from '@/lib/live/secret-mark';
import { conflictsOf, editableYaml, yamlEdit } from './instance-yaml';

const object: KubeObject = {
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'Instance',
  metadata: { name: 'db', namespace: 'demo', uid: 'u', resourceVersion: '7', managedFields: [] },
  spec: { parameters: { SIZE: '3', PASSWORD: SECRET_MARK } },
  status: { planStatus: {} },
};
const base = editableYaml(object);

describe('editableYaml', () => {
  it('leaves out fields that are not editable', () => {
    expect(base).not.toMatch(/status|resourceVersion|managedFields|uid/);
    expect(base).toContain('SIZE: "3"');
  });
});

describe('yamlEdit', () => {
  it('is the difference, without masked values that were not edited', () => {
    expect(yamlEdit(base, base.replace('"3"', '"5"'))).toEqual({
      kind: 'patch',
      patch: { spec: { parameters: { SIZE: '5' } } },
    });
  });

  it('removes with null', () => {
    expect(yamlEdit(base, base.replace('    SIZE: "3"\n', ''))).toMatchObject({
      patch: { spec: { parameters: { SIZE: null } } },
    });
  });

  it('is unchanged when only the layout differs', () => {
    expect(yamlEdit(base, `# a comment\n${base}`)).toEqual({ kind: 'unchanged' });
  });

  it('refuses another object, and text that is not YAML', () => {
    expect(yamlEdit(base, base.replace('name: db', 'name: other'))).toMatchObject({ kind: 'wrong' });
    expect(yamlEdit(base, '{')).toMatchObject({ kind: 'wrong' });
    expect(yamlEdit(base, 'just text')).toMatchObject({ kind: 'wrong' });
  });
});

describe('conflictsOf', () => {
  const at = (size: string, password: string) => ({ spec: { parameters: { SIZE: size, PASSWORD: password } } });

  it('names fields that both changed', () => {
    expect(conflictsOf({ spec: { parameters: { SIZE: '5' } } }, at('3', 'a'), at('4', 'a'))).toEqual([
      'spec.parameters.SIZE',
    ]);
  });

  it('ignores changes of other fields', () => {
    expect(conflictsOf({ spec: { parameters: { SIZE: '5' } } }, at('3', 'a'), at('3', 'b'))).toEqual([]);
  });

  it('ignores a masked secret, which cannot be compared', () => {
    expect(conflictsOf({ spec: { parameters: { PASSWORD: 'new' } } }, at('3', SECRET_MARK), at('3', 'old'))).toEqual(
      [],
    );
  });
});
