import { describe, expect, it } from 'vitest';
import { TEST_FINGERPRINTS } from '@/lib/kudo/secrets/fingerprint-fixture';
import type { ExecutionStatus, Instance, InstanceSpec, OperatorVersion, Parameter } from '@/lib/kudo/types';
import { ACTED_UPON_ANNOTATION } from './acted-upon-annotation';
import { nextAction } from './next-action';

const version = (plans: readonly string[], parameters: Parameter[] = [], name = 'op-1'): OperatorVersion => ({
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'OperatorVersion',
  metadata: { name, namespace: 'n' },
  spec: {
    operator: { name: 'op' },
    version: '1',
    plans: Object.fromEntries(plans.map((plan) => [plan, {}])),
    parameters,
  },
});

const plain = version(['deploy', 'update', 'backup', 'cleanup'], [{ name: 'A' }, { name: 'B', trigger: 'backup' }]);

interface Given {
  readonly spec?: InstanceSpec;
  readonly seen?: object | null;
  readonly plans?: { [plan: string]: [ExecutionStatus, string?] };
  readonly deleting?: boolean;
  readonly finalizer?: boolean;
}

function instance({ spec = {}, seen, plans, deleting = false, finalizer = true }: Given): Instance {
  const record = seen === undefined ? { operatorVersion: { name: 'op-1' }, parameters: {} } : seen;
  const planStatus = Object.fromEntries(
    Object.entries(plans ?? {}).map(([name, [status, uid]]) => [
      name,
      { name, status, ...(uid === undefined ? {} : { uid }) },
    ]),
  );
  return {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: {
      name: 'i',
      namespace: 'n',
      uid: 'u',
      ...(record === null ? {} : { annotations: { [ACTED_UPON_ANNOTATION]: JSON.stringify(record) } }),
      ...(finalizer ? { finalizers: ['kudo.dev.instance.cleanup'] } : {}),
      ...(deleting ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
    },
    spec: { operatorVersion: { name: 'op-1' }, ...spec },
    ...(plans === undefined ? {} : { status: { planStatus } }),
  };
}

function next(given: Given, operatorVersion: OperatorVersion | undefined = plain) {
  const action = nextAction({
    instance: instance(given),
    operatorVersion,
    actedUponVersion: operatorVersion,
    newUid: 'new',
    fingerprints: TEST_FINGERPRINTS,
  });
  const scheduled = 'scheduled' in action ? action.scheduled : undefined;
  return scheduled === undefined ? action.do : `${action.do} ${scheduled.plan} ${scheduled.uid}`;
}

const running = { planName: 'deploy', uid: 'd1', status: 'IN_PROGRESS' as const };
const asDeployed = { operatorVersion: { name: 'op-1' }, parameters: {}, plan: 'deploy', uid: 'd1' };
const deployed = { deploy: ['COMPLETE', 'd1'] as [ExecutionStatus, string] };
const deploying = { deploy: ['IN_PROGRESS', 'd1'] as [ExecutionStatus, string] };

describe('nextAction', () => {
  it.each<[string, Given, string]>([
    ['ADM-01 a new Instance', { seen: null }, 'start deploy new'],
    [
      'ADM-02 a new one that asks for another plan',
      { seen: null, spec: { planExecution: { planName: 'backup', uid: 'x' } } },
      'start deploy new',
    ],
    [
      'a new one that a webhook has seen',
      { seen: null, spec: { planExecution: { planName: 'deploy', uid: 'x' } } },
      'start deploy x',
    ],
    ['CTL-03 an idle one', { plans: deployed }, 'rest'],
    ['one of KUDO', { seen: null, plans: deployed }, 'record'],
    [
      'one of KUDO in the middle of a plan',
      { seen: null, plans: deploying, spec: { planExecution: running } },
      'record',
    ],
    [
      'CTL-04 CTL-14 one in the middle of a plan',
      { seen: asDeployed, plans: deploying, spec: { planExecution: running } },
      'continue deploy d1',
    ],
    [
      'a start that crashed before the first status',
      { seen: asDeployed, plans: { deploy: ['COMPLETE', 'd0'] }, spec: { planExecution: running } },
      'continue deploy d1',
    ],
    [
      'an end that crashed before the lock was cleared',
      { seen: asDeployed, plans: deployed, spec: { planExecution: running } },
      'clear deploy d1',
    ],
    ['an end whose last write a person made', { seen: asDeployed, plans: deployed }, 'clear deploy d1'],
    ['ADM-20 an edit', { plans: deployed, spec: { parameters: { A: '1' } } }, 'start update new'],
    ['ADM-24 an edit with a trigger', { plans: deployed, spec: { parameters: { B: '1' } } }, 'start backup new'],
    ['ADM-32 an unknown parameter', { plans: deployed, spec: { parameters: { Z: '1' } } }, 'refuse'],
    [
      'ADM-10 a plan asked for',
      { plans: deployed, spec: { planExecution: { planName: 'backup', uid: 'mine' } } },
      'start backup mine',
    ],
    [
      'a plan asked for without uid',
      { plans: deployed, spec: { planExecution: { planName: 'backup' } } },
      'start backup new',
    ],
    ['ADM-11 a plan that does not exist', { plans: deployed, spec: { planExecution: { planName: 'zip' } } }, 'restore'],
    ['ADM-12 the cleanup plan', { plans: deployed, spec: { planExecution: { planName: 'cleanup' } } }, 'restore'],
    [
      'ADM-13 the running plan under another uid',
      { seen: asDeployed, plans: deploying, spec: { planExecution: { ...running, uid: 'd2', status: 'NEVER_RUN' } } },
      'start deploy d2',
    ],
    [
      'ADM-15 another plan while one runs',
      { seen: asDeployed, plans: deploying, spec: { planExecution: { planName: 'backup', uid: 'b' } } },
      'enqueue',
    ],
    [
      'ADM-15 another plan while one runs, written as a webhook leaves it',
      {
        seen: asDeployed,
        plans: deploying,
        spec: { planExecution: { planName: 'backup', uid: 'b', status: 'NEVER_RUN' } },
      },
      'enqueue',
    ],
    [
      'another plan over one that the webhook has decided and nobody has begun (seed 390)',
      {
        seen: { ...asDeployed, uid: 'd2' },
        plans: deploying,
        spec: { planExecution: { planName: 'backup', uid: 'b', status: 'NEVER_RUN' } },
      },
      'enqueue',
    ],
    ['ADM-16 a running plan whose execution was emptied', { seen: asDeployed, plans: deploying }, 'restore deploy d1'],
    [
      'a running plan whose execution was emptied, and that does not exist any more',
      { seen: { ...asDeployed, plan: 'zip' }, plans: { zip: ['IN_PROGRESS', 'd1'] } },
      'rest',
    ],
    [
      'ADM-15 another plan whose name alone is written over the running one',
      { seen: asDeployed, plans: deploying, spec: { planExecution: { ...running, planName: 'backup' } } },
      'enqueue',
    ],
    [
      'ADM-11 a plan that does not exist, its name alone written over the running one',
      { seen: asDeployed, plans: deploying, spec: { planExecution: { ...running, planName: 'zip' } } },
      'restore deploy d1',
    ],
    [
      'a plan whose name is written over the uid of the one that ended',
      { seen: asDeployed, plans: deployed, spec: { planExecution: { planName: 'backup', uid: 'd1' } } },
      'start backup new',
    ],
    [
      'ADM-30 an edit that means another plan while one runs',
      { seen: asDeployed, plans: deploying, spec: { planExecution: running, parameters: { B: '1' } } },
      'enqueue',
    ],
    [
      'T-09 a status written by hand',
      { seen: asDeployed, plans: deploying, spec: { planExecution: { ...running, status: 'COMPLETE' } } },
      'abandon deploy d1',
    ],
    ['CTL-05 a deleted one', { deleting: true, plans: deployed }, 'start cleanup new'],
    [
      'CTL-07 one deleted while a plan runs',
      { deleting: true, seen: asDeployed, plans: deploying, spec: { planExecution: running } },
      'start cleanup new',
    ],
    [
      'CTL-06 one whose cleanup runs',
      {
        deleting: true,
        plans: { cleanup: ['IN_PROGRESS', 'c'] },
        spec: { planExecution: { planName: 'cleanup', uid: 'c' } },
      },
      'continue cleanup c',
    ],
    [
      'one whose cleanup runs, and of which somebody asked for another plan where no webhook could refuse it',
      {
        deleting: true,
        plans: { cleanup: ['IN_PROGRESS', 'c'] },
        spec: { planExecution: { planName: 'deploy', uid: 'd' } },
      },
      'start cleanup c',
    ],
    [
      'one whose cleanup runs, and whose execution somebody emptied',
      { deleting: true, plans: { cleanup: ['IN_PROGRESS', 'c'] } },
      'start cleanup c',
    ],
    ['CTL-08 one whose cleanup is done', { deleting: true, plans: { cleanup: ['COMPLETE', 'c'] } }, 'release'],
    [
      'CTL-09 one whose cleanup failed',
      {
        deleting: true,
        plans: { cleanup: ['FATAL_ERROR', 'c'] },
        spec: { planExecution: { planName: 'cleanup', uid: 'c' } },
      },
      'rest',
    ],
    [
      'CTL-10 one whose failed cleanup is asked for again',
      {
        deleting: true,
        plans: { cleanup: ['FATAL_ERROR', 'c'] },
        spec: { planExecution: { planName: 'cleanup', uid: 'c2' } },
      },
      'start cleanup c2',
    ],
    [
      'one whose cleanup is done, held by somebody else, and asked for again',
      {
        deleting: true,
        finalizer: false,
        plans: { cleanup: ['COMPLETE', 'c'] },
        spec: { planExecution: { planName: 'cleanup', uid: 'c2' } },
      },
      'start cleanup c2',
    ],
    [
      'one that runs its cleanup again',
      {
        deleting: true,
        finalizer: false,
        plans: { cleanup: ['IN_PROGRESS', 'c2'] },
        spec: { planExecution: { planName: 'cleanup', uid: 'c2' } },
      },
      'continue cleanup c2',
    ],
    [
      'one that has run its cleanup again',
      {
        deleting: true,
        finalizer: false,
        plans: { cleanup: ['COMPLETE', 'c2'] },
        spec: { planExecution: { planName: 'cleanup', uid: 'c2' } },
      },
      'rest',
    ],
    ['a deleted one that nothing of ours holds', { deleting: true, finalizer: false, plans: deployed }, 'rest'],
  ])('%s: decides', (_title, given, expected) => {
    expect(next(given)).toBe(expected);
  });

  it('ADM-29 starts a running plan again when an edit means it', () => {
    const own = version(['deploy'], [{ name: 'A', trigger: 'deploy' }]);
    const given = { seen: asDeployed, plans: deploying, spec: { planExecution: running, parameters: { A: '1' } } };
    expect(next(given, own)).toBe('start deploy new');
  });

  it('ADM-03 CTL-02 T-35 waits for a version that does not exist', () => {
    const missing = {
      operatorVersion: undefined,
      actedUponVersion: undefined,
      newUid: 'new',
      fingerprints: TEST_FINGERPRINTS,
    };
    expect(nextAction({ ...missing, instance: instance({ seen: null }) }).do).toBe('blocked');
    expect(nextAction({ ...missing, instance: instance({ deleting: true, plans: deployed }) }).do).toBe('blocked');
  });

  it('waits for a version that went after the webhook had decided', () => {
    const decided = instance({
      seen: { ...asDeployed, plan: 'deploy', uid: 'd2' },
      plans: deployed,
      spec: { planExecution: { planName: 'deploy', uid: 'd2', status: 'NEVER_RUN' } },
    });
    expect(
      nextAction({
        instance: decided,
        operatorVersion: plain,
        actedUponVersion: plain,
        newUid: 'new',
        fingerprints: TEST_FINGERPRINTS,
      }).do,
    ).toBe('start');
    expect(
      nextAction({
        instance: decided,
        operatorVersion: undefined,
        actedUponVersion: undefined,
        newUid: 'new',
        fingerprints: TEST_FINGERPRINTS,
      }).do,
    ).toBe('blocked');
  });

  it.each<[string, { [name: string]: string }, boolean]>([
    ['an edit that means another plan waits', { A: '1' }, true],
    ['an edit that is refused waits', { Z: '1' }, true],
    ['an edit that means the same plan counts', { B: '1' }, false],
  ])('%s when a trigger is taken up beside it', (_what, parameters, keepsInputs) => {
    const planExecution = { planName: 'backup', uid: 'b', status: 'NEVER_RUN' } as const;
    const both = instance({ seen: asDeployed, plans: deployed, spec: { parameters, planExecution } });
    const action = nextAction({
      instance: both,
      operatorVersion: plain,
      actedUponVersion: plain,
      newUid: 'new',
      fingerprints: TEST_FINGERPRINTS,
    });
    expect(action).toMatchObject({ do: 'start', scheduled: { plan: 'backup', uid: 'b' }, keepsInputs });
  });

  it('takes a trigger up with the version that was acted upon when a new one is wanted beside it', () => {
    const planExecution = { planName: 'backup', uid: 'b', status: 'NEVER_RUN' } as const;
    const spec = { operatorVersion: { name: 'op-2' }, planExecution };
    const both = instance({ seen: asDeployed, plans: deployed, spec });
    const newer = version(['deploy', 'upgrade'], [], 'op-2');
    const versions = { operatorVersion: newer, actedUponVersion: plain };
    expect(nextAction({ instance: both, ...versions, newUid: 'new', fingerprints: TEST_FINGERPRINTS })).toMatchObject({
      do: 'start',
      scheduled: { plan: 'backup', uid: 'b' },
      keepsInputs: true,
    });
    const gone = { operatorVersion: newer, actedUponVersion: undefined };
    expect(nextAction({ instance: both, ...gone, newUid: 'new', fingerprints: TEST_FINGERPRINTS }).do).toBe('restore');
  });

  it('CTL-12 lets a deleted Instance go whose version has no cleanup plan', () => {
    expect(next({ deleting: true, plans: { ...deployed, cleanup: ['NEVER_RUN'] } }, version(['deploy']))).toBe(
      'release',
    );
  });

  it('ADM-38 ADM-39 runs the plan of a new version, and moves the finalizer with it', () => {
    const newer = version(['deploy', 'upgrade'], [], 'op-2');
    const action = nextAction({
      instance: instance({ plans: deployed, spec: { operatorVersion: { name: 'op-2' } } }),
      operatorVersion: newer,
      actedUponVersion: plain,
      newUid: 'new',
      fingerprints: TEST_FINGERPRINTS,
    });
    expect(action).toMatchObject({ do: 'start', scheduled: { plan: 'upgrade', uid: 'new' } });
    expect(action.do === 'start' && (action.instance.metadata.finalizers ?? [])).toEqual([]);
  });
});
