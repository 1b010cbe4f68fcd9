import { describe, expect, it } from 'vitest';
import { TEST_RECORD } from '@/lib/kudo/secrets/fingerprint-fixture';
import type { ExecutionStatus, Instance } from '@/lib/kudo/types';
import { formatActedUpon } from './acted-upon';
import { ACTED_UPON_ANNOTATION } from './acted-upon-annotation';
import { actedUpon } from './acted-upon-record';
import { HISTORY_ANNOTATION, historyAfter, type RecordedRun } from './run-history';
import { unannouncedEnd, unannouncedRecord } from './unannounced-end';

const AT = '2026-01-01T00:00:00Z';
const RUN: RecordedRun = {
  plan: 'deploy',
  uid: 'd',
  status: 'COMPLETE',
  startedAt: AT,
  endedAt: AT,
  seconds: 1,
  steps: [],
};

interface Given {
  readonly record: { plan: string; uid: string; ended?: 'COMPLETE' };
  readonly before?: { plan: string; uid: string };
  readonly history?: RecordedRun;
  readonly plans: { [plan: string]: [ExecutionStatus, string] };
}

function instanceOf({ record, before, history, plans }: Given): Instance {
  const spec = { operatorVersion: { name: 'v1' }, parameters: { A: 'new' } };
  const old = before && {
    operatorVersion: { name: 'v0' },
    parameters: { A: 'old' },
    startedAt: AT,
    ...before,
  };
  const annotations = {
    [ACTED_UPON_ANNOTATION]: formatActedUpon({ spec }, TEST_RECORD, { startedAt: AT, ...record, before: old }),
    ...(history === undefined
      ? {}
      : { [HISTORY_ANNOTATION]: historyAfter({ metadata: { name: 'i' } }, history, { keepsEarlier: false }) }),
  };
  const planStatus = Object.fromEntries(
    Object.entries(plans).map(([name, [status, uid]]) => [name, { name, status, uid }]),
  );
  return {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: { name: 'i', annotations },
    spec,
    status: { planStatus },
  };
}

const NEXT = { plan: 'other', uid: 'o' };

describe('the end of a run that nobody told of', () => {
  it('is that of the record, when its plan has ended and it is not in the history', () => {
    const instance = instanceOf({ record: { plan: 'deploy', uid: 'd' }, plans: { deploy: ['FATAL_ERROR', 'd'] } });
    expect(unannouncedEnd(instance, NEXT)?.scheduled).toEqual({ plan: 'deploy', uid: 'd' });
  });

  it('is that of the record before, with the inputs that it began with', () => {
    const instance = instanceOf({
      record: { plan: 'other', uid: 'o' },
      before: { plan: 'deploy', uid: 'd' },
      plans: { deploy: ['COMPLETE', 'd'] },
    });
    const unannounced = unannouncedEnd(instance, NEXT);
    expect(unannounced?.scheduled).toEqual({ plan: 'deploy', uid: 'd' });
    expect(actedUpon(unannounced?.instance ?? instance)).toMatchObject({
      operatorVersion: { name: 'v0' },
      parameters: { A: 'old' },
      uid: 'd',
    });
    // A second edit before anybody acted upon the first one keeps it.
    expect(unannouncedRecord(instance)?.uid).toBe('d');
  });

  it.each<[string, Given]>([
    ['is in the history', { record: RUN, history: RUN, plans: { deploy: ['COMPLETE', 'd'] } }],
    ['is still under way', { record: RUN, plans: { deploy: ['IN_PROGRESS', 'd'] } }],
    ['was replaced by another of its plan', { record: RUN, plans: { deploy: ['COMPLETE', 'later'] } }],
    ['was ended by hand', { record: { ...RUN, ended: 'COMPLETE' }, plans: { deploy: ['COMPLETE', 'd'] } }],
    ['is the one that begins', { record: NEXT, plans: { other: ['COMPLETE', 'o'] } }],
  ])('is none when the run %s', (_, given) => {
    const { plan, uid, ended } = given.record;
    const record = ended === undefined ? { plan, uid } : { plan, uid, ended };
    expect(unannouncedEnd(instanceOf({ ...given, record }), NEXT)).toBeUndefined();
  });
});
