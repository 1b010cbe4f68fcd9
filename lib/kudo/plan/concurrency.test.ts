import { describe, expect, it } from 'vitest';
import { PLAN_METADATA_ANNOTATION } from '@/lib/kudo/names';
import type { ExecutionStatus, Instance, OperatorVersion } from '@/lib/kudo/types';
import { groupWait } from './concurrency';

const versionOf = (operator: string, limit = 1): OperatorVersion => {
  const metadata = {
    backup: { concurrency: { group: 'heavy', limit } },
    check: { concurrency: { group: 'heavy', limit } },
  };
  return {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'OperatorVersion',
    metadata: { name: operator, namespace: 'n', annotations: { [PLAN_METADATA_ANNOTATION]: JSON.stringify(metadata) } },
    spec: { operator: { name: operator }, plans: { backup: {}, check: {}, deploy: {} } },
  };
};
const version = versionOf('db');

/** An Instance in the middle of a plan, whose first step has that status. */
function at(name: string, plan: string, step: ExecutionStatus, status: ExecutionStatus = 'IN_PROGRESS'): Instance {
  return {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: { name, namespace: 'n', uid: name },
    spec: { operatorVersion: { name: 'db' }, planExecution: { planName: plan, uid: `${name}-run` } },
    status: {
      planStatus: {
        [plan]: {
          name: plan,
          uid: `${name}-run`,
          status,
          phases: [{ name: 'p', steps: [{ name: 's', status: step }] }],
        },
      },
    },
  };
}

const own = at('own', 'backup', 'PENDING', 'PENDING');
const ask = (others: Instance[], more: { instance?: Instance; limit?: number; of?: string; admitted?: string } = {}) =>
  groupWait({
    instance: more.instance ?? own,
    scheduled: { plan: 'backup', uid: 'own-run' },
    operatorVersion: versionOf('db', more.limit),
    others,
    versionOf: () => (more.of === undefined ? version : versionOf(more.of)),
    isAdmitted: (uid) => uid === more.admitted,
  });

describe('a run of a concurrency group', () => {
  it('waits for one that has begun, and names it', () => {
    expect(ask([own, at('other', 'check', 'IN_PROGRESS')])).toBe(
      'Waits for the run of plan check of Instance other: group heavy has at most one run at a time.',
    );
    expect(ask([at('a', 'check', 'ERROR'), at('b', 'backup', 'COMPLETE')], { limit: 2 })).toContain('at most 2 runs');
    expect(ask([at('a', 'check', 'ERROR')], { limit: 2 })).toBeUndefined();
  });

  it('waits for one that was told to begin, and not for one that waits or is over', () => {
    const waiting = at('other', 'backup', 'PENDING', 'PENDING');
    expect(ask([waiting])).toBeUndefined();
    expect(ask([waiting], { admitted: 'other-run' })).toContain('Instance other');
    expect(ask([at('other', 'backup', 'COMPLETE', 'COMPLETE')], { admitted: 'other-run' })).toBeUndefined();
  });

  it('waits for no plan outside of the group, and no other operator', () => {
    expect(ask([at('other', 'deploy', 'IN_PROGRESS')])).toBeUndefined();
    expect(ask([at('other', 'backup', 'IN_PROGRESS')], { of: 'cache' })).toBeUndefined();
  });

  it('goes on when it has begun, and waits neither for its parent nor when it is deleted', () => {
    const parent = at('parent', 'backup', 'IN_PROGRESS');
    expect(ask([parent], { instance: at('own', 'backup', 'IN_PROGRESS') })).toBeUndefined();
    const ownerReferences = [{ apiVersion: 'kudo.dev/v1beta1', kind: 'Instance', name: 'parent', uid: 'parent' }];
    expect(ask([parent], { instance: { ...own, metadata: { ...own.metadata, ownerReferences } } })).toBeUndefined();
    const deletionTimestamp = '2026-01-01T00:00:00Z';
    expect(ask([parent], { instance: { ...own, metadata: { ...own.metadata, deletionTimestamp } } })).toBeUndefined();
  });
});
