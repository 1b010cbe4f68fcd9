import { describe, expect, it } from 'vitest';
import { formatActedUpon } from '@/lib/kudo/plan/acted-upon';
import { ACTED_UPON_ANNOTATION } from '@/lib/kudo/plan/acted-upon-annotation';
import type { NextAction } from '@/lib/kudo/plan/next-action-types';
import { enqueue } from '@/lib/kudo/queue/enqueue';
import { TEST_RECORD } from '@/lib/kudo/secrets/fingerprint-fixture';
import type { Instance, PlanExecution } from '@/lib/kudo/types';
import { atDoor, changed, execute, type Given, NOW, next, running, set, stored } from './admit-fixture';

/** As server/controller/reconcile writes it; undefined for what it does not write to the spec. */
function writeOf(before: Instance, action: NextAction): Instance | undefined {
  switch (action.do) {
    case 'start':
      return changed(action.instance, (sent) => {
        execute({ planName: action.scheduled.plan, uid: action.scheduled.uid, status: 'IN_PROGRESS' })(sent);
        const text = formatActedUpon(sent, TEST_RECORD, { ...action.scheduled, startedAt: NOW });
        sent.metadata.annotations = { ...sent.metadata.annotations, [ACTED_UPON_ANNOTATION]: text };
      });
    case 'enqueue': {
      const { instance, plans, isAsked } = action;
      return enqueue(instance, { plans, isAsked, at: NOW, newUid: 'q', fingerprints: TEST_RECORD.fingerprints });
    }
    case 'clear':
      return changed(before, execute({}));
    case 'restore': {
      const { scheduled } = action;
      return changed(
        before,
        execute(scheduled === undefined ? {} : { planName: scheduled.plan, uid: scheduled.uid, status: 'IN_PROGRESS' }),
      );
    }
    case 'record':
      return changed(before, (sent) => {
        const { planName: plan = '', uid = '' } = sent.spec?.planExecution ?? {};
        const text = formatActedUpon(sent, TEST_RECORD, plan === '' ? undefined : { plan, uid, startedAt: NOW });
        sent.metadata.annotations = { ...sent.metadata.annotations, [ACTED_UPON_ANNOTATION]: text };
      });
    case 'release':
      return changed(before, (sent) => {
        delete sent.metadata.finalizers;
      });
    default:
      return undefined;
  }
}

const EXECUTIONS: readonly PlanExecution[] = [
  {},
  { planName: 'deploy', uid: 'd1', status: 'IN_PROGRESS' },
  { planName: 'deploy', uid: 'd1', status: 'COMPLETE' },
  { planName: 'deploy', uid: 'd2', status: 'NEVER_RUN' },
  { planName: 'deploy' },
  { planName: 'backup', uid: 'b1', status: 'NEVER_RUN' },
  { planName: 'cleanup', uid: 'c1', status: 'IN_PROGRESS' },
  { planName: 'gone', uid: 'g1' },
];
const EDITS: readonly { [name: string]: string }[] = [
  {},
  { A: '1' },
  { B: '1' },
  { A: '1', B: '1' },
  { B: '1', C: '1' },
  { FIXED: 'y' },
];
const STATUSES: readonly Given['plans'][] = [
  undefined,
  { deploy: ['IN_PROGRESS', 'd1'] },
  { deploy: ['COMPLETE', 'd1'] },
  { deploy: ['FATAL_ERROR', 'd1'] },
  { deploy: ['COMPLETE', 'd0'], cleanup: ['COMPLETE', 'c1'] },
];

/** Every state that edits by hand, crashes and outages of either door can leave. */
function* states(): Generator<Instance> {
  for (const execution of EXECUTIONS) {
    for (const parameters of EDITS) {
      for (const plans of STATUSES) {
        for (const uid of ['d0', 'd1']) {
          for (const deleting of [false, true]) {
            const given: Given = {
              execution,
              parameters,
              seen: {},
              begun: { uid },
              ...(plans === undefined ? {} : { plans }),
            };
            yield changed(stored(given), (instance) => {
              if (plans === undefined) delete instance.status;
              if (deleting) instance.metadata.deletionTimestamp = NOW;
            });
          }
        }
      }
    }
  }
}

describe('the door and the controller', () => {
  it('T-17 every step of the controller passes as it was written, from every state', () => {
    let steps = 0;
    const stopped: unknown[] = [];
    for (const state of states()) {
      for (const before of [state, changed(state, (one) => void delete one.metadata.annotations)]) {
        const action = next(before);
        const sent = writeOf(before, action);
        if (sent === undefined) continue;
        steps++;
        const decision = atDoor(before, sent);
        if (decision.outcome !== 'allowed') stopped.push({ before, action, decision });
      }
    }
    expect(stopped).toEqual([]);
    expect(steps).toBeGreaterThan(300);
  });

  it.each<[string, Given, (instance: Instance) => void]>([
    ['ADM-20 a parameter', {}, set({ A: '1' })],
    ['ADM-24 a parameter with a trigger', {}, set({ B: '1' })],
    ['ADM-26 two triggers', {}, set({ B: '1', C: '1' })],
    ['ADM-32 an unknown parameter', {}, set({ Z: '1' })],
    ['ADM-35 an immutable parameter', { parameters: { FIXED: 'x' } }, set({ FIXED: 'y' })],
    ['ADM-10 a plan', {}, execute({ planName: 'backup', uid: 'u', status: 'NEVER_RUN' })],
    ['ADM-11 a plan that does not exist', {}, execute({ planName: 'zip', uid: 'u' })],
    ['ADM-12 cleanup', {}, execute({ planName: 'cleanup', uid: 'u' })],
    ['ADM-13 the running plan again', running, execute({ planName: 'deploy', uid: 'u' })],
    ['ADM-15 another plan while one runs', running, execute({ planName: 'backup', uid: 'u' })],
    ['ADM-16 no plan while one runs', running, execute({})],
    [
      'ADM-31 a plan and a parameter',
      {},
      (sent) => {
        set({ A: '1' })(sent);
        execute({ planName: 'backup' })(sent);
      },
    ],
  ])('come to the same end about %s, whoever was asked', (_what, given, change) => {
    const before = stored(given);
    const sent = changed(before, change);
    const asked = atDoor(before, sent);
    const unasked = next(sent);
    expect([unasked.do, 'scheduled' in unasked ? unasked.scheduled?.plan : undefined]).toEqual(
      asked.outcome === 'denied'
        ? [expect.stringMatching(/^(refuse|restore)$/), given.execution?.planName]
        : [asked.plan === undefined ? 'enqueue' : 'start', asked.plan],
    );
    if (asked.outcome === 'denied') expect('message' in unasked && unasked.message).toBe(asked.message);
  });
});
