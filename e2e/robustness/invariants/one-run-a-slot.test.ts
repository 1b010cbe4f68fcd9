import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import { testRun } from '@/lib/kudo/runs/runs-fixture';
import type { PlanSchedule, PlanScheduleSpec, PlanScheduleStatus } from '@/lib/kudo/schedules/plan-schedule';
import { slotUid } from '@/lib/kudo/schedules/slot-uid';
import type { Fact, StoreChange } from './fact';
import { violationsOf } from './facts-fixture';
import { oneRunASlot } from './one-run-a-slot';

const SLOT = '2026-11-24T13:00:00Z';
const atMs = Date.parse(SLOT);
const uid = slotUid('the schedule', atMs);

const seen = (object: KubeObject, resource: string, laterMs = 0): StoreChange => ({
  fact: 'change',
  atMs: atMs + laterMs,
  type: object.kind === 'PlanRun' ? 'ADDED' : 'MODIFIED',
  resource,
  object,
  before: undefined,
});

function schedule(status: PlanScheduleStatus = {}, spec: PlanScheduleSpec = {}): StoreChange {
  const object: PlanSchedule = {
    apiVersion: 'bravo.kudo.dev/v1alpha1',
    kind: 'PlanSchedule',
    metadata: { name: 'often', namespace: 'n', uid: 'the schedule' },
    spec: { instanceName: 'db', plan: 'backup', schedule: '* * * * *', ...spec },
    status,
  };
  return seen(object, 'bravo.kudo.dev/planschedules');
}

const run = (of = uid, laterMs = 0) =>
  seen(testRun(1, {}, { cause: 'Schedule', reason: 'schedule often', uid: of }), 'bravo.kudo.dev/planruns', laterMs);
const executed: StoreChange = seen(
  {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: { name: 'db', namespace: 'n' },
    spec: { planExecution: { planName: 'backup', uid } },
  },
  'kudo.dev/instances',
);
const end: Fact = { fact: 'copy', of: 'a cache', held: new Map(), truth: new Map() };
const started = { history: [{ slot: SLOT, outcome: 'Started', uid }], lastSlot: SLOT } as const satisfies object;
const found = (...facts: Fact[]) => violationsOf(oneRunASlot, facts);
const history = (...outcomes: ('Started' | 'Skipped')[]): PlanScheduleStatus => ({
  history: outcomes.map((outcome) => ({ slot: SLOT, outcome, uid })),
});

describe('I16, one run a slot', () => {
  it('has nothing against the execution of a slot', () => {
    expect(found(schedule(), executed, run(), schedule({ ...started, history: [...started.history] }), end)).toEqual(
      [],
    );
  });

  it('reports a run that is of no slot, or of one in a blackout', () => {
    expect(found(schedule(), run('another'))).toEqual(['I16: run db-backup-1 is of no slot of schedule n/often']);
    const blackouts = [{ start: '50 12 * * *', durationMinutes: 30 }];
    expect(found(schedule({}, { blackouts }), run())).toEqual([
      'I16: run db-backup-1 of schedule n/often is of a slot in a blackout',
    ]);
  });

  it('reports a run that begins long after the schedule was suspended', () => {
    const suspended = schedule({}, { suspend: true });
    expect(found(suspended, run(uid, 60_000))).toEqual([]);
    expect(found(suspended, run(uid, 600_000))).toEqual([
      'I16: run db-backup-1 began after schedule n/often was suspended',
    ]);
    expect(found(suspended, schedule(), run(uid, 600_000))).toEqual([]);
  });

  it('reports a slot that is done twice, becomes another one, or goes back', () => {
    expect(found(schedule(history('Started', 'Skipped')))).toEqual([
      `I16: slot ${SLOT} of schedule n/often is done twice`,
    ]);
    expect(found(schedule(history('Skipped')), schedule(history('Started')))).toEqual([
      `I16: slot ${SLOT} of schedule n/often was Skipped and is Started`,
    ]);
    expect(found(schedule({ lastSlot: SLOT }), schedule({ lastSlot: '2026-11-24T12:59:00Z' }))).toHaveLength(1);
  });

  it('reports a start that no Instance had', () => {
    expect(found(schedule(history('Started')), end)).toEqual([
      `I16: slot ${SLOT} of schedule n/often is said to have started, and no Instance had its execution`,
    ]);
  });
});
