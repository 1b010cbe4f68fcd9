import { describe, expect, it } from 'vitest';
import { nextCron, parseCron } from './cron-schedule';

function next(schedule: string, after: string, zone?: string): string | undefined {
  const parsed = parseCron(schedule, zone);
  if (parsed === undefined) return undefined;
  const ms = nextCron(parsed, Date.parse(after));
  return ms === undefined ? undefined : new Date(ms).toISOString().slice(0, 16);
}

describe('a schedule', () => {
  it.each([
    ['* * * * *', '2026-11-21T20:24:22Z', '2026-11-21T20:25'],
    ['*/15 * * * *', '2026-11-21T20:45:00Z', '2026-11-21T21:00'],
    ['0 3 * * *', '2026-12-31T04:00:00Z', '2027-01-01T03:00'],
    ['30 2 29 2 *', '2026-01-01T00:00:00Z', '2028-02-29T02:30'],
    ['0 0 * * mon', '2026-11-21T00:00:00Z', '2026-11-23T00:00'],
    ['0 12 1 * 5', '2026-11-21T00:00:00Z', '2026-11-27T12:00'],
    ['5-10/5,40 8-9 * jan,mar *', '2026-11-21T00:00:00Z', '2027-01-01T08:05'],
    ['0 0 * * 7', '2026-11-21T00:00:00Z', '2026-11-22T00:00'],
    ['@hourly', '2026-11-21T20:24:22Z', '2026-11-21T21:00'],
    ['0 0 31 2 *', '2026-11-21T00:00:00Z', undefined],
  ])('%s after %s is next at %s', (schedule, after, wanted) => {
    expect(next(schedule, after)).toBe(wanted);
  });

  it('is read in its time zone, also on the days when the clock is changed', () => {
    expect(next('0 9 * * *', '2026-07-01T00:00:00Z', 'Europe/Berlin')).toBe('2026-07-01T07:00');
    expect(next('0 9 * * *', '2026-12-01T00:00:00Z', 'Europe/Berlin')).toBe('2026-12-01T08:00');
    expect(next('0 9 * * *', '2026-03-28T12:00:00Z', 'Europe/Berlin')).toBe('2026-03-29T07:00');
    expect(next('0 9 * * *', '2026-12-01T00:00:00Z', 'Nowhere/City')).toBeUndefined();
  });

  it.each([
    '',
    '* * * *',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    'a * * * *',
    '*/0 * * * *',
    '9-5 * * * *',
    '0 0 L * *',
    '0 0 15W * *',
    '0 0 * * fri#2',
    '0 0 0 * * *',
  ])('%j is none', (text) => {
    expect(parseCron(text)).toBeUndefined();
  });
});
