import { describe, expect, it } from 'vitest';
import type { PlanMetadata } from '@/lib/kudo/plan-metadata/plan-metadata';
import { withRunQueue } from '@/lib/kudo/queue/run-queue';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { saying, wipingVersion } from '@/test/operators/destructive-operator';
import { asksFirst, needsConfirmation, ownPlans, planBlock, planTitleOf } from './plan-availability';
import { planView } from './plan-view';

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
  it('leaves out plans that the controller starts, and puts backup and restore first', () => {
    expect(ownPlans(idle)).toEqual(['backup', 'restore', 'password']);
  });
});

describe('planBlock', () => {
  it('lets an idle Instance run any plan but cleanup', () => {
    expect(planBlock(idle, 'backup', false)).toBeUndefined();
    expect(planBlock(idle, 'cleanup', false)).toContain('when the instance is deleted');
  });

  it('lets the cleanup be started again that holds the deletion', () => {
    const leaving = { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['kudo.dev.instance.cleanup'] };
    const cleaned = (status: 'FATAL_ERROR' | 'COMPLETE') => ({
      ...idle,
      instance: { ...instance(leaving), status: { planStatus: { cleanup: { status, uid: 'c' } } } },
    });
    expect(planBlock(cleaned('FATAL_ERROR'), 'cleanup', false)).toBeUndefined();
    expect(planBlock(cleaned('FATAL_ERROR'), 'backup', false)).toBe('The instance is being deleted.');
    expect(planBlock(cleaned('COMPLETE'), 'cleanup', false)).toContain('when the instance is deleted');
  });

  it('lets another plan wait once, and names the plan that has to end before a change of the version', () => {
    const busy = { ...idle, active: planView('deploy', { status: 'IN_PROGRESS' }, version) };
    expect(planBlock(busy, '', false)).toBe('Plan deploy is running. Wait until it ends.');
    expect(planBlock(busy, 'backup', false)).toBeUndefined();
    const entry = { plan: 'backup', uid: 'b', cause: 'Manual', at: '' } as const;
    const waiting = { ...busy, instance: withRunQueue(busy.instance, { entries: [entry] }) };
    expect(planBlock(waiting, 'backup', false)).toBe('Plan backup waits in the queue.');
    expect(planBlock(busy, 'deploy', false)).toBe('Plan deploy is running.');
  });

  it('lets a stalled plan be started again, or be replaced by another', () => {
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

  it('explains a deletion, a missing version, and a deleted Instance', () => {
    expect(planBlock({ ...idle, instance: instance({ deletionTimestamp: 'x' }) }, 'backup', false)).toContain(
      'being deleted',
    );
    const unknown = { ...idle, operatorVersionObject: undefined };
    expect(planBlock({ ...unknown, isVersionMissing: true }, 'backup', false)).toBe(
      'OperatorVersion db-1 does not exist.',
    );
    expect(planBlock(unknown, 'backup', false)).toBe('OperatorVersion db-1 cannot be read.');
    expect(planBlock(idle, 'backup', true)).toContain('was deleted');
  });
});

describe('what a package says of a plan', () => {
  const versionObject = (byPlan: { [plan: string]: PlanMetadata }) => ({
    operatorVersionObject: { ...wipingVersion('v1'), metadata: { name: 'v1', annotations: saying(byPlan) } },
  });

  it('decides whether starting it needs the name of the Instance, and a restore always does', () => {
    const row = versionObject({ wipe: { destructive: true }, load: { destructive: false } });
    expect(['restore', 'wipe', 'load', 'backup'].map((plan) => needsConfirmation(row, plan))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('is what its button says, and whether it opens a dialog', () => {
    const row = versionObject({
      resize: { displayName: 'Change the size', parameters: ['A'] },
      load: { icon: 'save' },
    });
    expect(['resize', 'backup', 'load'].map((plan) => planTitleOf(row, plan))).toEqual([
      'Change the size',
      'Back up',
      'Load',
    ]);
    expect(['resize', 'backup', 'load'].map((plan) => asksFirst(row, plan))).toEqual([true, false, false]);
  });
});
