import { describe, expect, it } from 'vitest';
import { nextStep, observedSchedule } from './next-step';
import type { PlanSchedule, PlanScheduleSpec, PlanScheduleStatus } from './plan-schedule';
import { withObserved, withSlot } from './slot-status';
import { slotUid } from './slot-uid';

const ms = (text: string) => Date.parse(text);
const at = (step: ReturnType<typeof nextStep>) => ({
  do: step.do,
  ...('slot' in step ? { slot: new Date(step.slot.ms).toISOString().slice(0, 16), before: step.slot.before } : {}),
});

function schedule(spec: PlanScheduleSpec, status: PlanScheduleStatus = {}): PlanSchedule {
  const full = { instanceName: 'db', plan: 'backup', schedule: '0 * * * *', ...spec };
  return {
    apiVersion: 'bravo.kudo.dev/v1alpha1',
    kind: 'PlanSchedule',
    metadata: { name: 'nightly', namespace: 'x', uid: 'u', creationTimestamp: '2026-11-23T00:30:00Z' },
    spec: full,
    status: { observedSchedule: observedSchedule(full), slotsFrom: '2026-11-23T00:30:00Z', ...status },
  };
}

describe('the next step of a schedule', () => {
  it('is to rest until the next slot', () => {
    expect(nextStep(schedule({}), ms('2026-11-23T00:40:00Z'))).toEqual({
      do: 'rest',
      wakeMs: ms('2026-11-23T01:00:00Z'),
    });
  });

  it('is to start a slot that is due, and nothing more when it is done', () => {
    const due = schedule({});
    const step = nextStep(due, ms('2026-11-23T01:00:01Z'));
    expect(at(step)).toEqual({ do: 'start', slot: '2026-11-23T01:00', before: 0 });
    if (step.do !== 'start') throw new Error('no start');
    const status = withSlot(due, step.slot, { outcome: 'Started', uid: 'e' }, ms('2026-11-23T01:00:01Z'));
    expect(status).toMatchObject({ lastSlot: '2026-11-23T01:00:00Z', lastUid: 'e' });
    expect(status.next?.[0]).toBe('2026-11-23T02:00:00Z');
    expect(nextStep({ ...due, status }, ms('2026-11-23T01:00:01Z')).do).toBe('rest');
  });

  it('repeats no slot when the clock is set back', () => {
    const done = schedule({}, { lastSlot: '2026-11-23T05:00:00Z' });
    expect(nextStep(done, ms('2026-11-23T02:10:00Z'))).toEqual({ do: 'rest', wakeMs: ms('2026-11-23T06:00:00Z') });
  });

  it('is to make up for the last of several missed slots within its deadline', () => {
    const daily = schedule({ schedule: '0 2 * * *', startingDeadlineSeconds: 7_200 });
    expect(at(nextStep(daily, ms('2026-11-25T03:59:00Z')))).toEqual({
      do: 'start',
      slot: '2026-11-25T02:00',
      before: 2,
    });
    expect(nextStep(daily, ms('2026-11-25T04:01:00Z'))).toMatchObject({ do: 'pass', outcome: 'Missed' });
  });

  it('is to leave a missed slot alone when the policy says so, but not one that a hand-over of the lease delays', () => {
    const skip = schedule({ missedRunPolicy: 'Skip' });
    expect(nextStep(skip, ms('2026-11-23T01:00:20Z')).do).toBe('start');
    expect(nextStep(skip, ms('2026-11-23T01:01:01Z'))).toMatchObject({ do: 'pass', outcome: 'Missed' });
  });

  it('is to rest without an end while it is suspended', () => {
    expect(nextStep(schedule({ suspend: true }), ms('2026-11-23T05:00:00Z'))).toEqual({
      do: 'rest',
      wakeMs: undefined,
    });
  });

  it('makes up for nothing after the suspension, nor for a new expression', () => {
    const suspended = schedule({ suspend: true });
    const resumed = { ...suspended, spec: { ...suspended.spec, suspend: false } };
    expect(nextStep(resumed, ms('2026-11-23T05:10:00Z')).do).toBe('observe');
    const status = withObserved(resumed, ms('2026-11-23T05:10:00Z'));
    expect(nextStep({ ...resumed, status }, ms('2026-11-23T05:10:00Z'))).toEqual({
      do: 'rest',
      wakeMs: ms('2026-11-23T06:00:00Z'),
    });
    const edited = schedule({ schedule: '*/5 * * * *' }, { observedSchedule: '0 * * * * UTC' });
    expect(nextStep(edited, ms('2026-11-23T05:10:00Z')).do).toBe('observe');
  });

  it('counts the slots of a new schedule from its creation', () => {
    const { status: _, ...fresh } = schedule({});
    expect(nextStep(fresh, ms('2026-11-23T01:00:05Z')).do).toBe('observe');
    const status = withObserved(fresh, ms('2026-11-23T01:00:05Z'));
    expect(at(nextStep({ ...fresh, status }, ms('2026-11-23T01:00:05Z')))).toMatchObject({ slot: '2026-11-23T01:00' });
  });

  it('passes over a slot in a blackout, which does not count as missed', () => {
    const dark = schedule({ blackouts: [{ start: '0 1 * * *', durationMinutes: 30 }] });
    const step = nextStep(dark, ms('2026-11-23T01:00:00Z'));
    expect(step).toMatchObject({ do: 'pass', outcome: 'Blackout' });
    if (step.do !== 'pass') throw new Error('no pass');
    const status = withSlot(dark, step.slot, { outcome: 'Blackout' }, ms('2026-11-23T01:00:00Z'));
    expect(status.missed).toBeUndefined();
    expect(status.problem).toBeUndefined();
  });

  it('holds a late slot until the end of a blackout', () => {
    const dark = schedule({ blackouts: [{ start: '10 1 * * *', durationMinutes: 20 }] });
    expect(nextStep(dark, ms('2026-11-23T01:15:00Z'))).toEqual({ do: 'hold', wakeMs: ms('2026-11-23T01:30:00Z') });
  });

  it('lets a slot wait longer than its deadline once it is noted as waiting, until the next slot', () => {
    const waits = schedule(
      { concurrencyPolicy: 'Wait', startingDeadlineSeconds: 60, schedule: '0 */6 * * *' },
      { waitingSlot: '2026-11-23T06:00:00Z' },
    );
    expect(at(nextStep(waits, ms('2026-11-23T11:59:00Z')))).toEqual({
      do: 'start',
      slot: '2026-11-23T06:00',
      before: 0,
    });
    expect(nextStep(waits, ms('2026-11-23T12:00:00Z'))).toMatchObject({
      do: 'start',
      slot: { before: 1, hadWaited: true },
    });
  });

  it('is to report what is wrong in it', () => {
    expect(nextStep(schedule({ schedule: 'often' }), 0)).toMatchObject({ do: 'report' });
  });
});

it('the uid of a slot is a UUID of version 8 that differs by schedule and slot', () => {
  const uid = slotUid('a', ms('2026-11-23T01:00:00Z'));
  expect(uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(slotUid('a', ms('2026-11-23T01:00:00Z'))).toBe(uid);
  expect(slotUid('b', ms('2026-11-23T01:00:00Z'))).not.toBe(uid);
  expect(slotUid('a', ms('2026-11-23T02:00:00Z'))).not.toBe(uid);
});
