import { describe, expect, it } from 'vitest';
import { exactTime, isTimeZone, zonedText, zonedTime } from './zoned-time';

const at = (text: string) => Date.parse(text);

describe('a moment in a time zone', () => {
  it('is on the day that the zone has, which may be the one before or after the day in UTC', () => {
    const ms = at('2026-11-24T23:30:00Z');
    expect(zonedTime(ms, 'UTC')).toEqual({ day: 'Tue 24 Nov', date: '2026-11-24', year: 2026, time: '23:30' });
    expect(zonedTime(ms, 'Europe/Berlin')).toMatchObject({ day: 'Wed 25 Nov', date: '2026-11-25', time: '00:30' });
    expect(zonedTime(ms, 'America/New_York')).toMatchObject({ day: 'Tue 24 Nov', time: '18:30' });
  });

  it('follows the change of the clock', () => {
    expect(zonedTime(at('2026-03-29T00:59:00Z'), 'Europe/Berlin').time).toBe('01:59');
    expect(zonedTime(at('2026-03-29T01:00:00Z'), 'Europe/Berlin').time).toBe('03:00');
  });

  it('says its year only when it is another one than that of now', () => {
    const nowMs = at('2026-11-24T00:00:00Z');
    expect(zonedText(at('2026-12-01T02:30:00Z'), 'UTC', nowMs)).toBe('Tue 1 Dec, 02:30');
    expect(zonedText(at('2027-01-01T02:30:00Z'), 'UTC', nowMs)).toBe('Fri 1 Jan 2027, 02:30');
  });
});

describe('an exact time', () => {
  it('says its offset from UTC, in hours and, where needed, minutes', () => {
    const text = '2026-11-24T23:30:05Z';
    expect(exactTime(text, 'UTC')).toBe('2026-11-24 23:30:05 UTC');
    expect(exactTime(text, 'Europe/Berlin')).toBe('2026-11-25 00:30:05 UTC+1');
    expect(exactTime(text, 'Asia/Kolkata')).toBe('2026-11-25 05:00:05 UTC+5:30');
    expect(exactTime(text, 'America/St_Johns')).toBe('2026-11-24 20:00:05 UTC-3:30');
  });

  it('tells apart the two hours that a clock shows twice in autumn', () => {
    expect(exactTime('2026-10-25T00:30:00Z', 'Europe/Berlin')).toBe('2026-10-25 02:30:00 UTC+2');
    expect(exactTime('2026-10-25T01:30:00Z', 'Europe/Berlin')).toBe('2026-10-25 02:30:00 UTC+1');
  });

  it('of a text that is no time is the text', () => {
    expect(exactTime('yesterday', 'UTC')).toBe('yesterday');
  });

  it('drops what is below a second', () => {
    expect(exactTime('2026-11-24T23:30:05.999999Z', 'UTC')).toBe('2026-11-24 23:30:05 UTC');
  });
});

it('only a name that the engine knows is a time zone', () => {
  expect(['UTC', 'Europe/Berlin', 'Etc/GMT+5'].map(isTimeZone)).toEqual([true, true, true]);
  expect(['', 'Mars/Olympus', '../etc', 'x'.repeat(80), 'UTC; path=/'].map(isTimeZone)).toEqual(Array(5).fill(false));
});
