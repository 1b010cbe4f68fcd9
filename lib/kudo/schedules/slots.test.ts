import { describe, expect, it } from 'vitest';
import type { PlanScheduleSpec } from './plan-schedule';
import { dueSlots, MOST_COUNTED, nextSlots, type Slots, slotsOf } from './slots';

const ms = (text: string) => Date.parse(text);
const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString().slice(0, 16));

function slots(spec: PlanScheduleSpec): Slots {
  const found = slotsOf(spec);
  if (typeof found === 'string') throw new Error(found);
  return found;
}

const next = (spec: PlanScheduleSpec, after: string, count: number) =>
  nextSlots(slots(spec), ms(after), count).map(iso);

const BERLIN = 'Europe/Berlin';

describe('the slots of a schedule', () => {
  it('are in its time zone, and in UTC without one', () => {
    expect(next({ schedule: '30 2 * * *' }, '2026-07-01T00:00:00Z', 1)).toEqual(['2026-07-01T02:30']);
    expect(next({ schedule: '30 2 * * *', timeZone: BERLIN }, '2026-07-01T00:00:00Z', 1)).toEqual(['2026-07-01T00:30']);
  });

  it('have a fixed time that does not exist at the end of the gap, once', () => {
    expect(next({ schedule: '30 2 * * *', timeZone: BERLIN }, '2026-03-28T12:00:00Z', 2)).toEqual([
      '2026-03-29T01:00',
      '2026-03-30T00:30',
    ]);
  });

  it('have a fixed time that comes twice the first time only', () => {
    expect(next({ schedule: '30 2 * * *', timeZone: BERLIN }, '2026-10-24T12:00:00Z', 2)).toEqual([
      '2026-10-25T00:30',
      '2026-10-26T01:30',
    ]);
  });

  it('have each half hour of a day of 25 hours, and of one of 23', () => {
    const half = { schedule: '*/30 * * * *', timeZone: BERLIN };
    expect(next(half, '2026-10-24T21:59:00Z', 50).at(-1)).toBe('2026-10-25T22:30');
    expect(next(half, '2026-03-28T22:59:00Z', 46).at(-1)).toBe('2026-03-29T21:30');
  });

  it('are 365 in a year, one each local day, in Berlin as in UTC', () => {
    const daily = nextSlots(slots({ schedule: '30 2 * * *', timeZone: BERLIN }), ms('2026-01-01T00:00:00Z'), 365);
    const day = new Intl.DateTimeFormat('sv', { timeZone: BERLIN, dateStyle: 'short' });
    const days = daily.map((at) => day.format(at));
    expect(new Set(days).size).toBe(365);
    expect([days[0], days.at(-1)]).toEqual(['2026-01-01', '2026-12-31']);
  });

  it.each([
    [{ schedule: '61 * * * *' }, 'The schedule "61 * * * *" is no cron expression'],
    [{ schedule: '@daily', timeZone: 'Mars/Base' }, 'The time zone "Mars/Base" does not exist'],
    [
      { schedule: '@daily', blackouts: [{ start: 'x', durationMinutes: 5 }] },
      'The start of a blackout "x" is no cron expression',
    ],
    [
      { schedule: '@daily', blackouts: [{ start: '@daily', durationMinutes: 5, timeZone: 'Mars/Base' }] },
      'The time zone "Mars/Base" does not exist',
    ],
  ])('of %j are a sentence that says what is wrong', (spec, message) => {
    expect(slotsOf(spec)).toContain(message);
  });
});

describe('blackouts', () => {
  const blackouts = [{ start: '0 8 * * 1-5', durationMinutes: 600, timeZone: BERLIN }];

  it('hold their first minute and not their end', () => {
    const found = slots({ schedule: '@hourly', blackouts });
    expect(iso(found.blackoutEnd(ms('2026-11-23T06:59:00Z')))).toBeUndefined();
    expect(iso(found.blackoutEnd(ms('2026-11-23T07:00:00Z')))).toBe('2026-11-23T17:00');
    expect(iso(found.blackoutEnd(ms('2026-11-23T17:00:00Z')))).toBeUndefined();
    expect(iso(found.blackoutEnd(ms('2026-11-22T09:00:00Z')))).toBeUndefined();
  });

  it('end together when one begins in another', () => {
    const two = [
      { start: '0 1 * * *', durationMinutes: 60 },
      { start: '30 1 * * *', durationMinutes: 90 },
    ];
    expect(iso(slots({ schedule: '@hourly', blackouts: two }).blackoutEnd(ms('2026-11-23T01:10:00Z')))).toBe(
      '2026-11-23T03:00',
    );
  });

  it('are left out of the next slots', () => {
    expect(next({ schedule: '0 */4 * * *', blackouts }, '2026-11-23T00:00:00Z', 3)).toEqual([
      '2026-11-23T04:00',
      '2026-11-23T20:00',
      '2026-11-24T00:00',
    ]);
  });

  it('that never end leave no slot, and are found out in a bounded number of steps', () => {
    const always = [{ start: '* * * * *', durationMinutes: 10 }];
    expect(next({ schedule: '* * * * *', blackouts: always }, '2026-11-23T00:00:00Z', 5)).toEqual([]);
  });
});

describe('due slots', () => {
  const due = (spec: PlanScheduleSpec, from: string, now: string) => dueSlots(slots(spec), ms(from), ms(now));

  it('are none before the first, and one at its moment', () => {
    expect(due({ schedule: '@hourly' }, '2026-11-23T00:00:00Z', '2026-11-23T00:59:59Z')).toBeUndefined();
    expect(due({ schedule: '@hourly' }, '2026-11-23T00:00:00Z', '2026-11-23T01:00:00Z')).toEqual({
      lastMs: ms('2026-11-23T01:00:00Z'),
      before: 0,
    });
  });

  it('count those before the last, but for those in blackouts', () => {
    const blackouts = [{ start: '0 2 * * *', durationMinutes: 60 }];
    expect(due({ schedule: '@hourly', blackouts }, '2026-11-23T00:00:00Z', '2026-11-23T04:30:00Z')).toEqual({
      lastMs: ms('2026-11-23T04:00:00Z'),
      before: 2,
    });
  });

  it('are found for a schedule of each minute that nobody looked at for a year', () => {
    expect(due({ schedule: '* * * * *' }, '2025-11-23T00:00:00Z', '2026-11-23T04:30:20Z')).toEqual({
      lastMs: ms('2026-11-23T04:30:00Z'),
      before: MOST_COUNTED,
    });
  });
});
