import { describe, expect, it } from 'vitest';
import type { HealthState } from '@/lib/kube/health/verdict';
import type { OwnedObject } from '@/lib/kudo/inventory/owned-object';
import { shortList } from './short-list';

function object(kind: string, name: string, owner?: string, state: HealthState = 'healthy'): OwnedObject {
  return {
    group: '',
    version: 'v1',
    resource: `${kind.toLowerCase()}s`,
    kind,
    name,
    uid: name,
    createdAt: '',
    health: { state, message: '' },
    owner: owner === undefined ? undefined : { kind: 'Owner', name: owner, uid: owner },
    place: { plan: '', phase: '', step: '' },
    note: '',
  };
}

const names = (objects: readonly OwnedObject[]) => shortList(objects).map(({ name }) => name);

describe('the short list of owned objects', () => {
  it('leaves out the pods of listed workloads', () => {
    expect(names([object('Pod', 'db-0', 'db'), object('StatefulSet', 'db', 'the-instance')])).toEqual(['db']);
  });

  it('shows a pod that the Instance owns itself, beside other objects', () => {
    expect(names([object('ConfigMap', 'settings', 'the-instance'), object('Pod', 'tool', 'the-instance')])).toEqual([
      'settings',
      'tool',
    ]);
  });

  it('shows a pod whose workload was deleted', () => {
    expect(names([object('ConfigMap', 'settings'), object('Pod', 'left-0', 'gone')])).toEqual(['settings', 'left-0']);
  });

  it('shows a failed pod before its workload', () => {
    const pod = object('Pod', 'db-0', 'db', 'failed');
    expect(names([object('StatefulSet', 'db', undefined, 'progressing'), pod])).toEqual(['db-0', 'db']);
  });
});
