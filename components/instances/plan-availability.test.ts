import { describe, expect, it } from 'vitest';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { planView } from './active-plan';
import { needsConfirmation, ownPlans, planBlock } from './plan-availability';

const version: OperatorVersion = {
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'OperatorVersion',
  metadata: { name: 'db-1' },
  spec: { plans: { deploy: {}, password: {}, restore: {}, backup: {}, update: {}, upgrade: {}, cleanup: {} } },
};
const instance = (metadata: object = {}): Instance => ({
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'Instance',
  metadata: { name: 'db', ...metadata },
});
const idle = {
  active: undefined,
  instance: instance(),
  operatorVersionObject: version,
  operatorVersion: 'db-1',
  isVersionMissing: false,
};

describe('ownPlans', () => {
  it('leaves out plans that run by themselves, and puts backup and restore first', () => {
    expect(ownPlans(idle)).toEqual(['backup', 'restore', 'password']);
  });
});

describe('planBlock', () => {
  it('lets an idle Instance run any plan but cleanup', () => {
    expect(planBlock(idle, 'backup', false)).toBeUndefined();
    expect(planBlock(idle, 'cleanup', false)).toContain('when the instance is deleted');
  });

  it('names the plan that has to end first', () => {
    const busy = { ...idle, active: planView('deploy', { status: 'IN_PROGRESS' }, version) };
    expect(planBlock(busy, 'backup', false)).toBe('deploy is running; available when it has ended.');
    expect(planBlock(busy, 'deploy', false)).toBe('deploy is running.');
  });

  it('lets a plan that makes no progress be started again, or give way to another', () => {
    const stalled = {
      type: 'Stalled',
      status: 'True',
      reason: 'RepeatedErrors',
      message: 'm',
      lastTransitionTime: '',
    } as const;
    const stuck: Instance = {
      ...instance(),
      spec: { planExecution: { planName: 'deploy', uid: 'u' } },
      status: { planStatus: { deploy: { status: 'IN_PROGRESS', uid: 'u' } }, conditions: [stalled] },
    };
    const busy = { ...idle, instance: stuck, active: planView('deploy', { status: 'IN_PROGRESS' }, version) };
    expect([planBlock(busy, 'backup', false), planBlock(busy, 'deploy', false)]).toEqual([undefined, undefined]);
  });

  it('explains a deletion, a missing version, and an Instance that is gone', () => {
    expect(planBlock({ ...idle, instance: instance({ deletionTimestamp: 'x' }) }, 'backup', false)).toContain(
      'being deleted',
    );
    const unknown = { ...idle, operatorVersionObject: undefined };
    expect(planBlock({ ...unknown, isVersionMissing: true }, 'backup', false)).toBe('OperatorVersion db-1 is missing.');
    expect(planBlock(unknown, 'backup', false)).toBe('OperatorVersion db-1 cannot be read.');
    expect(planBlock(idle, 'backup', true)).toContain('gone');
  });
});

describe('needsConfirmation', () => {
  it('is true for plans that overwrite data', () => {
    expect([needsConfirmation('restore'), needsConfirmation('backup')]).toEqual([true, false]);
  });
});
