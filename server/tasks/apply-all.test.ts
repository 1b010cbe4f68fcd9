import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import { groupsOf } from './apply-all';

/** `ConfigMap/a` and the like, all in one namespace. */
function objects(...texts: string[]): KubeObject[] {
  return texts.map((text) => {
    const [kind = '', name = ''] = text.split('/');
    return { apiVersion: kind === 'Job' ? 'batch/v1' : 'v1', kind, metadata: { name, namespace: 'n' } };
  });
}

const grouped = (...texts: string[]) =>
  groupsOf(objects(...texts)).map((group) => group.map(({ kind, metadata }) => `${kind}/${metadata.name}`));

describe('objects that are applied at the same time', () => {
  it('are neighbours that only hold data', () => {
    expect(grouped('ConfigMap/a', 'Secret/b', 'Service/c', 'ConfigMap/d', 'Job/e', 'Job/f')).toEqual([
      ['ConfigMap/a', 'Secret/b'],
      ['Service/c'],
      ['ConfigMap/d'],
      ['Job/e'],
      ['Job/f'],
    ]);
  });

  it('are never the same object twice', () => {
    expect(grouped('ConfigMap/a', 'Secret/a', 'ConfigMap/a', 'ConfigMap/b')).toEqual([
      ['ConfigMap/a', 'Secret/a'],
      ['ConfigMap/a', 'ConfigMap/b'],
    ]);
  });

  it('are not too many', () => {
    const many = Array.from({ length: 20 }, (_, index) => `ConfigMap/${index}`);
    expect(grouped(...many).map(({ length }) => length)).toEqual([8, 8, 4]);
  });

  it('are no kinds of other groups that have such a name', () => {
    const foreign = objects('ConfigMap/a', 'ConfigMap/b').map((object) => ({
      ...object,
      apiVersion: 'example.com/v1',
    }));
    expect(groupsOf(foreign).map(({ length }) => length)).toEqual([1, 1]);
  });
});
