import { describe, expect, it } from 'vitest';
import { zonedText, zonedTime } from './zoned-time';

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
