import { describe, expect, it } from 'vitest';
import { collectDependents, type Dependent } from './dependents';

const object = (uid: string, ...owners: string[]): Dependent => ({
  group: '',
  version: 'v1',
  resource: 'pods',
  kind: 'Pod',
  namespace: 'demo',
  name: uid,
  uid,
  owners,
});

describe('collectDependents', () => {
  it('follows owners through all levels, nearest first', () => {
    const all = [object('pod', 'set'), object('set', 'deployment'), object('other', 'elsewhere'), object('free')];
    expect(collectDependents(['deployment'], all).map(({ uid }) => uid)).toEqual(['set', 'pod']);
  });

  it('leaves an object that another owner holds', () => {
    expect(collectDependents(['a'], [object('shared', 'a', 'b')])).toEqual([]);
    expect(collectDependents(['a', 'b'], [object('shared', 'a', 'b')])).toHaveLength(1);
  });

  it('ends on a cycle', () => {
    expect(
      collectDependents(['root'], [object('x', 'root'), object('y', 'x'), object('root', 'y')]).map(({ uid }) => uid),
    ).toEqual(['x', 'y']);
  });
});
