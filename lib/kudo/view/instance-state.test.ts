import { describe, expect, it } from 'vitest';
import type { Condition, Instance, PlanStatus } from '@/lib/kudo/types';
import { UNSEEN_MARK } from '@/lib/live/unseen-mark';
import { driftedState, instanceState, plainMessage } from './instance-state';
import { activePlan, newestPlan } from './plan-view';

function stateOf(parts: {
  annotations?: { [name: string]: string };
  spec?: object;
  planStatus?: { [name: string]: PlanStatus };
  ready?: Partial<Condition>;
  deleting?: boolean;
}) {
  const conditions = parts.ready && [
    { type: 'Ready', message: '', lastTransitionTime: '', ...parts.ready } as Condition,
  ];
  const instance: Instance = {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: {
      name: 'db',
      namespace: 'demo',
      ...(parts.annotations ? { annotations: parts.annotations } : {}),
      ...(parts.deleting
        ? { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['kudo.dev.instance.cleanup'] }
        : {}),
    },
    spec: { operatorVersion: { name: 'db-1.0.0' }, ...parts.spec },
    status: { planStatus: parts.planStatus ?? {}, ...(conditions ? { conditions } : {}) },
  };
  return instanceState(
    instance,
    { active: activePlan(instance, undefined), last: newestPlan(instance, undefined) },
    true,
  );
}

const plan = (status: PlanStatus['status'], step: PlanStatus['status'], message = ''): PlanStatus =>
  ({
    status,
    uid: 'u',
    lastUpdatedTimestamp: '2026-01-01T00:00:00Z',
    phases: [{ name: 'main', steps: [{ name: 'run', status: step, message }] }],
  }) as PlanStatus;

/** A reason that is short enough to be its own detail. */
const says = (reason: string) => ({ reason, detail: reason });

describe('instanceState', () => {
  it('names what a running plan does and what it waits for', () => {
    const state = stateOf({ planStatus: { backup: plan('IN_PROGRESS', 'IN_PROGRESS', 'Job b: 0 of 1 complete') } });
    expect(state).toEqual({ key: 'IN_PROGRESS', word: 'Backing up', ...says('Job b: 0 of 1 complete') });
  });

  it('is paused while a person holds the plan, and says where', () => {
    const held = {
      ...plan('IN_PROGRESS', 'PENDING', ''),
      message: 'Paused before step one of phase two. Resume or cancel the run.',
    };
    const state = stateOf({ planStatus: { backup: held } });
    expect(state).toMatchObject({ key: 'paused', word: 'Paused', reason: expect.stringContaining('before step one') });
    const stopped = {
      ...held,
      message: 'Stopped after phase one, before step s of phase two. Resume or cancel the run.',
    };
    expect(stateOf({ planStatus: { backup: stopped } }).key).toBe('paused');
  });

  it('is waiting while a pod cannot start', () => {
    const message = 'Deployment web: 0 of 2 available; pod web-1: ImagePullBackOff; pod web-2: ImagePullBackOff';
    const state = stateOf({ planStatus: { deploy: plan('IN_PROGRESS', 'IN_PROGRESS', message) } });
    const reason = 'Deployment web: ImagePullBackOff';
    expect(state).toEqual({ key: 'waiting', word: 'Waiting', reason, detail: message });
  });

  it('has a short reason for the header and the whole message as its detail', () => {
    const message = `Job load: 0 of 1 complete; pod load-1: Unschedulable: 0/3 nodes are available: ${'no '.repeat(40)}`;
    const failed = stateOf({ planStatus: { backup: plan('FATAL_ERROR', 'FATAL_ERROR', message) } });
    expect(failed.reason).toBe('backup: Job load: Unschedulable');
    expect(failed.detail).toBe(`backup: ${message.trim()}`);
    const long = stateOf({ planStatus: { backup: plan('FATAL_ERROR', 'FATAL_ERROR', 'no '.repeat(60)) } });
    expect(long.reason.length).toBeLessThanOrEqual(72);
  });

  it('does not show the result of the previous plan after an edit was accepted', () => {
    const planStatus = { deploy: plan('COMPLETE', 'COMPLETE') };
    const annotations = { 'bravo.kudo.dev/acted-upon': UNSEEN_MARK };
    expect(stateOf({ planStatus, annotations })).toEqual({
      key: 'PENDING',
      word: 'Starting',
      reason: 'edit accepted, its plan starts soon',
      detail: 'edit accepted, its plan starts soon',
    });
    expect(stateOf({ planStatus }).word).toBe('Healthy');
  });

  it('names the step while it is unknown what it waits for', () => {
    expect(stateOf({ planStatus: { deploy: plan('IN_PROGRESS', 'IN_PROGRESS') } }).reason).toBe('main / run');
  });

  it('is retrying while a step has a transient error, with the cause alone', () => {
    const message = 'A transient error when executing task deploy.main.run.nodes. Will retry. quota exceeded';
    expect(stateOf({ planStatus: { deploy: plan('IN_PROGRESS', 'ERROR', message) } })).toEqual({
      key: 'ERROR',
      word: 'Retrying',
      ...says('deploy: quota exceeded'),
    });
  });

  it('is failed when the plan that ran last failed', () => {
    const message = 'Error during execution: fatal error: demo/db failed in backup.main.run.dump: exit 1';
    const state = stateOf({ planStatus: { backup: plan('FATAL_ERROR', 'FATAL_ERROR', message) } });
    expect([state.key, state.reason]).toEqual(['FATAL_ERROR', 'backup: exit 1']);
  });

  it('is healthy after a complete plan, and not ready when an object is not ready', () => {
    const planStatus = { deploy: plan('COMPLETE', 'COMPLETE') };
    expect(stateOf({ planStatus }).word).toBe('Healthy');
    const ready = { status: 'False', reason: 'ResourceNotReady', message: 'StatefulSet db: 1 of 3 ready' } as const;
    expect(stateOf({ planStatus, ready })).toEqual({ key: 'unhealthy', word: 'Not ready', ...says(ready.message) });
  });

  it('says that a change was refused', () => {
    const ready = { status: 'False', reason: 'ChangeRefused', message: 'parameter A is immutable' } as const;
    expect(stateOf({ planStatus: { deploy: plan('COMPLETE', 'COMPLETE') }, ready }).word).toBe('Change refused');
  });

  it('is deleting while the cleanup plan runs and after it', () => {
    const spec = { planExecution: { planName: 'cleanup', uid: 'u' } };
    expect(stateOf({ deleting: true, spec, planStatus: { cleanup: plan('IN_PROGRESS', 'IN_PROGRESS') } }).key).toBe(
      'deleting',
    );
    expect(stateOf({ deleting: true }).key).toBe('deleting');
  });

  it('says that the deletion waits when the cleanup was cancelled, whichever plan ended last', () => {
    const message = 'The run was cancelled. No step is half done.';
    const planStatus = {
      deploy: { ...plan('COMPLETE', 'COMPLETE'), lastUpdatedTimestamp: '2026-01-01T00:00:01Z' },
      cleanup: { ...plan('FATAL_ERROR', 'PENDING'), message },
    };
    const state = stateOf({ deleting: true, planStatus });
    expect(state).toMatchObject({ key: 'FATAL_ERROR', word: 'Deletion waits', reason: 'plan cleanup was cancelled' });
    expect(state.detail).toContain('bravo plan trigger --name cleanup --instance db -n demo');
  });

  it('waits for the controller when nothing ever ran', () => {
    expect(stateOf({})).toEqual({ key: 'PENDING', word: 'Queued', ...says('waits for the controller') });
  });
});

describe('plainMessage', () => {
  it('removes the introduction of KUDO and keeps other texts', () => {
    expect(plainMessage('demo/db fatal error:  missing task deploy.main.run.x')).toBe('missing task deploy.main.run.x');
    expect(plainMessage('Job b: 0 of 1 complete')).toBe('Job b: 0 of 1 complete');
  });
});

describe('drift', () => {
  const healthy = { key: 'healthy', word: 'Healthy', ...says('') } as const;

  it('is the state of an Instance that is healthy otherwise', () => {
    expect(driftedState(healthy, 0)).toBe(healthy);
    expect(driftedState(healthy, 1)).toEqual({ key: 'drifted', word: 'Changed outside', ...says('1 object') });
    expect(driftedState(healthy, 3).reason).toBe('3 objects');
  });

  it('does not replace a worse state', () => {
    const failed = { key: 'FATAL_ERROR', word: 'Failed', ...says('deploy') } as const;
    expect(driftedState(failed, 2)).toBe(failed);
  });
});
