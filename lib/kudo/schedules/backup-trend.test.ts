import { describe, expect, it } from 'vitest';
import { testRun } from '@/lib/kudo/runs/runs-fixture';
import { backupTrend, nextBackupMs } from './backup-trend';

const NOW = Date.parse('2026-01-09T00:00:00Z');
const made = (number: number, size: number) =>
  testRun(number, {
    status: 'COMPLETE',
    finishedAt: `2026-01-0${number}T00:01:00Z`,
    outputs: [{ type: 'backup', name: `day-${number}`, size }],
  });

describe('the course of the last backups', () => {
  it('has sizes, and how long the runs took, the oldest first', () => {
    expect(backupTrend([made(2, 200), made(1, 100)], NOW)).toEqual([
      { name: 'day-1', createdAt: '2026-01-01T00:01:00Z', size: 100, tookMs: 60_000 },
      { name: 'day-2', createdAt: '2026-01-02T00:01:00Z', size: 200, tookMs: 60_000 },
    ]);
  });

  it('has at most twelve, and no duration of a run that is kept no more', () => {
    const names = Array.from({ length: 20 }, (_each, at) => ({
      type: 'backup',
      name: `b${at}`,
      createdAt: new Date(NOW + at).toISOString(),
    }));
    const run = testRun(1, { status: 'COMPLETE', outputs: names });
    expect(backupTrend([run], NOW).map(({ name }) => name)).toEqual(names.slice(8).map(({ name }) => name));
    expect(backupTrend([run], NOW)[0]?.tookMs).toBeUndefined();
  });
});

describe('the next backup', () => {
  it('is the first slot of a schedule whose plan has made one, or is named so', () => {
    const saves = testRun(1, { status: 'COMPLETE', outputs: [{ type: 'backup', name: 'a' }] }, { plan: 'save' });
    const schedules = [
      { plan: 'save', nextMs: 30 },
      { plan: 'rotate', nextMs: 10 },
      { plan: 'backup-full', nextMs: 40 },
      { plan: 'backup', nextMs: undefined },
    ];
    expect(nextBackupMs(schedules, [saves])).toBe(30);
    expect(nextBackupMs(schedules, [])).toBe(40);
    expect(nextBackupMs([], [saves])).toBeUndefined();
  });
});
