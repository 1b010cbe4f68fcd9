import { describe, expect, it } from 'vitest';
import type { PlanSchedule, PlanScheduleSpec, PlanScheduleStatus } from '@/lib/kudo/schedules/plan-schedule';
import { scheduleCalendar } from './schedule-calendar';
import {
  countStates,
  filterSchedules,
  NO_SCHEDULE_FILTER,
  parseScheduleFilter,
  withScheduleFilter,
} from './schedule-filter';
import { schedulePath, scheduleRow, scheduleRows } from './schedule-row';

const NOW = Date.parse('2026-11-24T13:00:00Z');

function schedule(name: string, spec: PlanScheduleSpec = {}, status: PlanScheduleStatus = {}): PlanSchedule {
  return {
    apiVersion: 'bravo.kudo.dev/v1alpha1',
    kind: 'PlanSchedule',
    metadata: { name, namespace: 'shop' },
    spec: { instanceName: 'pg', plan: 'backup', schedule: '30 2 * * *', ...spec },
    status,
  };
}

describe('the row of a schedule', () => {
  it('has its words, its zone, and its next slot outside of blackouts', () => {
    const blackouts = [{ start: '0 2 25 11 *', durationMinutes: 60 }];
    expect(scheduleRow(schedule('nightly', { blackouts }), NOW)).toMatchObject({
      key: 'shop/nightly',
      words: 'Every day at 02:30',
      timeZone: 'UTC',
      state: 'active',
      nextMs: Date.parse('2026-11-26T02:30:00Z'),
    });
  });

  it('says what is wrong with its definition, or why its last slot had no run', () => {
    expect(scheduleRow(schedule('a', { schedule: 'never' }), NOW)).toMatchObject({
      state: 'problem',
      problem: 'The schedule "never" is no cron expression; write five fields such as "30 2 * * *".',
    });
    const refused = { problem: 'Instance pg does not exist.' };
    expect(scheduleRow(schedule('a', {}, refused), NOW)).toMatchObject({ state: 'problem', ...refused });
  });

  it('has no next slot while it is suspended, and is not called a problem', () => {
    const row = scheduleRow(schedule('a', { suspend: true }, { problem: 'Missed.' }), NOW);
    expect([row.state, row.nextMs]).toEqual(['suspended', undefined]);
  });

  it('waits when a slot waits for its Instance', () => {
    expect(scheduleRow(schedule('a', {}, { waitingSlot: '2026-11-24T12:30:00Z', problem: 'Busy.' }), NOW).state).toBe(
      'waiting',
    );
  });

  it('has the address of its page', () => {
    expect(schedulePath({ namespace: 'shop', name: 'nightly' })).toBe('/schedules/shop/nightly');
  });
});

describe('a list of schedules', () => {
  const rows = scheduleRows(
    [
      schedule('late', { schedule: '0 23 * * *' }),
      schedule('off', { suspend: true, instanceName: 'db' }),
      schedule('soon', { schedule: '0 14 * * *', plan: 'rotate' }),
      schedule('wrong', { schedule: 'x' }),
    ],
    NOW,
  );
  const names = (filter: Partial<typeof NO_SCHEDULE_FILTER>) =>
    filterSchedules(rows, { ...NO_SCHEDULE_FILTER, ...filter }).map(({ name }) => name);

  it('has problems first, then what starts next', () => {
    expect(rows.map(({ name }) => name)).toEqual(['wrong', 'soon', 'late', 'off']);
    expect(countStates(rows)).toEqual([
      ['problem', 1],
      ['active', 2],
      ['suspended', 1],
    ]);
  });

  it('is filtered by words, state, plan and Instance', () => {
    expect(names({ query: 'every 23:00' })).toEqual(['late']);
    expect(names({ state: 'suspended' })).toEqual(['off']);
    expect(names({ plan: 'rotate' })).toEqual(['soon']);
    expect(names({ instance: 'db' })).toEqual(['off']);
  });

  it('has its filter in the address, beside what else is there', () => {
    const filter = { query: 'a b', state: 'active', plan: 'backup', instance: 'pg' } as const;
    const params = withScheduleFilter(new URLSearchParams('view=calendar'), filter);
    expect(params.get('view')).toBe('calendar');
    expect(parseScheduleFilter(params)).toEqual(filter);
    expect(withScheduleFilter(params, NO_SCHEDULE_FILTER).toString()).toBe('view=calendar');
    expect(parseScheduleFilter(new URLSearchParams('state=other')).state).toBeUndefined();
  });
});

describe('the calendar', () => {
  const times = (spec: PlanScheduleSpec, zone = 'UTC') =>
    scheduleCalendar([scheduleRow(schedule('a', spec), NOW)], zone, NOW).map(({ date, entries }) => [
      date,
      entries.flatMap(({ slots }) => slots.map((ms) => new Date(ms).toISOString().slice(5, 16))).join(' '),
    ]);

  it('has 14 days of the zone, from now on', () => {
    const days = times({});
    expect(days).toHaveLength(14);
    expect(days.slice(0, 2)).toEqual([
      ['2026-11-24', ''],
      ['2026-11-25', '11-25T02:30'],
    ]);
    expect(times({ schedule: '0 22 * * *' }, 'Asia/Tokyo')[0]).toEqual(['2026-11-24', '']);
    expect(times({ schedule: '0 22 * * *' }, 'Asia/Tokyo')[1]).toEqual(['2026-11-25', '11-24T22:00']);
  });

  it('puts a slot at midnight on the day that begins, once', () => {
    expect(times({ schedule: '0 0 * * *' }).slice(0, 3)).toEqual([
      ['2026-11-24', ''],
      ['2026-11-25', '11-25T00:00'],
      ['2026-11-26', '11-26T00:00'],
    ]);
  });

  it('lists at most three slots of a schedule on a day, and says that there are more', () => {
    const rows = [scheduleRow(schedule('a', { schedule: '*/5 * * * *' }), NOW)];
    const [today] = scheduleCalendar(rows, 'UTC', NOW);
    expect(today?.entries[0]).toMatchObject({ hasMore: true });
    expect(today?.entries[0]?.slots).toHaveLength(3);
  });

  it('leaves out what is suspended or wrong', () => {
    expect(times({ suspend: true }).every(([, text]) => text === '')).toBe(true);
    expect(times({ schedule: 'x' }).every(([, text]) => text === '')).toBe(true);
  });
});
