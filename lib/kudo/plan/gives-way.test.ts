import { describe, expect, it } from 'vitest';
import { cloneJson } from '@/lib/json/json';
import { admit } from '@/lib/kudo/admission/admit';
import { planForChange } from '@/lib/kudo/admission/triggers';
import { TEST_FINGERPRINTS, TEST_RECORD } from '@/lib/kudo/secrets/fingerprint-fixture';
import type { Condition, Instance, OperatorVersion, PlanStatus } from '@/lib/kudo/types';
import { formatActedUpon } from './acted-upon';
import { ACTED_UPON_ANNOTATION } from './acted-upon-annotation';
import { actedUpon } from './acted-upon-record';
import { stallOf, withExtraCondition } from './conditions';
import { closeOthers, endPlan } from './end-plan';
import { nextAction } from './next-action';

const NOW = '2026-01-01T00:00:00Z';
const version: OperatorVersion = {
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'OperatorVersion',
  metadata: { name: 'v1', namespace: 'n' },
  spec: { parameters: [{ name: 'B', trigger: 'backup' }], plans: { deploy: {}, backup: {} } },
};
const versions = { sent: version, stored: version, actedUpon: version };
const stalled: Condition = {
  type: 'Stalled',
  status: 'True',
  reason: 'RepeatedErrors',
  message: 'm',
  lastTransitionTime: NOW,
};

/** An Instance in the middle of its deploy plan; `deploy` was begun as d1. */
function running(conditions: Condition[]): Instance {
  const spec = { operatorVersion: { name: 'v1' }, parameters: {} };
  const record = formatActedUpon({ spec }, TEST_RECORD, { plan: 'deploy', uid: 'd1', startedAt: NOW });
  return {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: { name: 'i', namespace: 'n', annotations: { [ACTED_UPON_ANNOTATION]: record } },
    spec: { ...spec, planExecution: { planName: 'deploy', uid: 'd1', status: 'IN_PROGRESS' } },
    status: { planStatus: { deploy: { name: 'deploy', status: 'IN_PROGRESS', uid: 'd1' } }, conditions },
  };
}

describe('a plan without progress', () => {
  const edit = { parameters: { B: 'new' } };
  const sentTo = (before: Instance) => ({ ...cloneJson(before), spec: { ...before.spec, ...edit } });

  it('gives way at all three doors: the API, the console before the click, the controller afterwards', () => {
    const before = running([stalled]);
    const sent = sentTo(before);
    const atDoor = admit({
      operation: 'UPDATE',
      stored: before,
      sent,
      versions,
      newUid: 'new',
      fingerprints: TEST_FINGERPRINTS,
      now: NOW,
    });
    expect(atDoor).toMatchObject({ outcome: 'allowed-with', plan: 'backup', supersedes: 'deploy' });
    expect(planForChange(before, version, edit)).toMatchObject({ outcome: 'runs', plan: 'backup' });
    const input = {
      instance: sent,
      operatorVersion: version,
      actedUponVersion: version,
      newUid: 'new',
      fingerprints: TEST_FINGERPRINTS,
    };
    expect(nextAction(input)).toMatchObject({ do: 'start', scheduled: { plan: 'backup', uid: 'new' } });
    const admitted = atDoor.instance;
    if (admitted === undefined) throw new Error('nothing was admitted');
    expect(actedUpon(admitted)).toMatchObject({ plan: 'backup', uid: 'new' });
    const taken = nextAction({ ...input, instance: admitted, newUid: 'other', fingerprints: TEST_FINGERPRINTS });
    expect(taken).toMatchObject({ do: 'start', scheduled: { plan: 'backup', uid: 'new' } });
  });

  it('that makes some is protected at all three, and the controller says that the edit waits', () => {
    const before = running([]);
    const sent = sentTo(before);
    const atDoor = admit({
      operation: 'UPDATE',
      stored: before,
      sent,
      versions,
      newUid: 'new',
      fingerprints: TEST_FINGERPRINTS,
      now: NOW,
    });
    const preview = planForChange(before, version, edit);
    expect([atDoor.queued, preview.outcome, preview.plan]).toEqual([[{ plan: 'backup' }], 'queues', 'backup']);
    const input = {
      operatorVersion: version,
      actedUponVersion: version,
      newUid: 'new',
      fingerprints: TEST_FINGERPRINTS,
    };
    expect(nextAction({ ...input, instance: sent })).toMatchObject({ do: 'enqueue', plans: [{ plan: 'backup' }] });
    if (atDoor.instance === undefined) throw new Error('nothing was admitted');
    expect(nextAction({ ...input, instance: atDoor.instance })).toEqual({
      do: 'continue',
      scheduled: { plan: 'deploy', uid: 'd1' },
      pending: {
        reason: 'WaitsForPlan',
        message: 'A change waits until plan deploy ends; then plan backup runs.',
      },
    });
  });

  it('is a fact of the scheduled execution only', () => {
    const before = running([stalled]);
    expect(stallOf(before)?.reason).toBe('RepeatedErrors');
    expect(
      stallOf({ ...before, spec: { ...before.spec, planExecution: { planName: 'deploy', uid: 'd2' } } }),
    ).toBeUndefined();
    expect(stallOf({ ...before, spec: { ...before.spec, planExecution: {} } })).toBeUndefined();
  });
});

describe('endPlan', () => {
  const status: PlanStatus = {
    name: 'deploy',
    status: 'IN_PROGRESS',
    uid: 'u',
    phases: [
      { name: 'one', status: 'COMPLETE', steps: [{ name: 'a', status: 'COMPLETE' }] },
      {
        name: 'two',
        status: 'IN_PROGRESS',
        steps: [
          { name: 'b', status: 'ERROR', message: 'refused', startedTimestamp: NOW },
          { name: 'c', status: 'PENDING' },
        ],
      },
    ],
  };

  it('ends what is under way, keeps what it said, and leaves what was done or not reached', () => {
    const ended = endPlan(status, { message: 'over' });
    expect([ended.status, ended.message, ended.uid]).toEqual(['FATAL_ERROR', 'over', 'u']);
    expect(ended.phases).toEqual([
      { name: 'one', status: 'COMPLETE', steps: [{ name: 'a', status: 'COMPLETE' }] },
      {
        name: 'two',
        status: 'FATAL_ERROR',
        steps: [
          { name: 'b', status: 'FATAL_ERROR', message: 'refused' },
          { name: 'c', status: 'PENDING' },
        ],
      },
    ]);
  });

  it('says the reason on the step that is named, and then not on the plan', () => {
    const ended = endPlan(status, { message: 'late', phase: 'two', step: 'b' });
    expect(ended.message).toBeUndefined();
    expect(ended.phases?.[1]?.steps?.[0]).toEqual({ name: 'b', status: 'FATAL_ERROR', message: 'late' });
  });

  it('closes other plans that still say they run, and no others', () => {
    const done: PlanStatus = { name: 'backup', status: 'COMPLETE', uid: 'b' };
    const closed = closeOthers(
      { deploy: status, backup: done, update: { name: 'update', status: 'NEVER_RUN' } },
      'backup',
    );
    expect(closed.deploy).toMatchObject({
      status: 'FATAL_ERROR',
      message: 'Plan backup took the place of this execution.',
    });
    expect([closed.backup, closed.update?.status]).toEqual([done, 'NEVER_RUN']);
  });
});

describe('withExtraCondition', () => {
  const wanted = { reason: 'R', message: 'm' };

  it('adds, keeps, changes and removes, and says by identity when nothing changes', () => {
    const added = withExtraCondition([], 'Stalled', wanted, NOW);
    expect(added).toEqual([{ type: 'Stalled', status: 'True', ...wanted, lastTransitionTime: NOW }]);
    expect(withExtraCondition(added, 'Stalled', wanted, 'later')).toBe(added);
    const changed = withExtraCondition(added, 'Stalled', { ...wanted, message: 'n' }, 'later');
    expect(changed?.[0]).toMatchObject({ message: 'n', lastTransitionTime: NOW });
    expect(withExtraCondition(added, 'Stalled', undefined, NOW)).toEqual([]);
    expect(withExtraCondition(undefined, 'ChangePending', undefined, NOW)).toBeUndefined();
  });
});
