import { describe, expect, it } from 'vitest';
import { formatActedUpon } from '@/lib/kudo/plan/acted-upon';
import { ACTED_UPON_ANNOTATION } from '@/lib/kudo/plan/acted-upon-annotation';
import { type QueueEntry, withRunQueue } from '@/lib/kudo/queue/run-queue';
import { TEST_RECORD } from '@/lib/kudo/secrets/fingerprint-fixture';
import type { Instance } from '@/lib/kudo/types';
import type { Fact } from './fact';
import { violationsOf } from './facts-fixture';
import { runQueue } from './run-queue';

const AT = '2026-01-01T00:00:00Z';
const backup: QueueEntry = { plan: 'backup', uid: 'b', cause: 'Manual', at: AT };
const check: QueueEntry = { plan: 'check', uid: 'c', cause: 'Manual', at: AT };

/** An Instance whose last execution is that one, with these runs in its queue. */
function instance(plan: string, uid: string, entries: readonly QueueEntry[], status = 'COMPLETE'): Instance {
  const spec = { operatorVersion: { name: 'v1' }, parameters: {} };
  const record = formatActedUpon({ spec }, TEST_RECORD, { plan, uid, startedAt: AT });
  const annotations = { [ACTED_UPON_ANNOTATION]: record };
  const metadata = { name: 'db', namespace: 'n', uid: 'db', annotations };
  const planStatus = { [plan]: { name: plan, uid, status: status as 'COMPLETE' | 'FATAL_ERROR' } };
  return withRunQueue(
    { apiVersion: 'kudo.dev/v1beta1', kind: 'Instance', metadata, spec, status: { planStatus } },
    { entries },
  );
}

const change = (before: Instance, object: Instance): Fact => ({
  fact: 'change',
  atMs: 0,
  type: 'MODIFIED',
  resource: 'kudo.dev/instances',
  object,
  before,
});
const rest = (object: Instance): Fact => ({ fact: 'rest', instance: object });
const waiting = instance('deploy', 'd', [backup, check]);

describe('I15, the queue', () => {
  it('accepts a run that leaves with its start, in its turn', () => {
    const started = instance('backup', 'b', [check]);
    const last = instance('check', 'c', []);
    expect(violationsOf(runQueue, [change(waiting, started), change(started, last), rest(last)])).toEqual([]);
  });

  it('reports a run that is lost, that starts out of turn, or that waits again', () => {
    const lost = instance('deploy', 'd', [check]);
    expect(violationsOf(runQueue, [change(waiting, lost)])).toEqual([
      'I15: plan backup (b) of Instance n/db left the queue without a start',
    ]);
    expect(violationsOf(runQueue, [change(waiting, instance('check', 'c', [backup]))])).toEqual([
      'I15: plan check (c) of Instance n/db started before its turn',
    ]);
    const takenOff: Fact = { fact: 'taken-off', instanceUid: 'i', plan: 'backup', uid: 'b' };
    expect(violationsOf(runQueue, [takenOff, change(waiting, lost)])).toEqual([]);
    const started = instance('backup', 'b', [check]);
    expect(violationsOf(runQueue, [change(waiting, started), change(started, waiting)])).toEqual([
      'I15: plan backup (b) of Instance n/db waits again',
    ]);
  });

  it('reports what waits at rest, unless the last run failed', () => {
    expect(violationsOf(runQueue, [rest(waiting)])).toEqual(['I15: Instance n/db is idle, and plan backup waits (b)']);
    expect(violationsOf(runQueue, [rest(instance('deploy', 'd', [backup], 'FATAL_ERROR'))])).toEqual([]);
  });
});
