import { describe, expect, it } from 'vitest';
import type { PlanScheduleSpec } from '@/lib/kudo/schedules/plan-schedule';
import { draftedSpec, draftPatch, freeName, scheduleDraft, scheduleProblems } from './schedule-draft';

const SHORT: PlanScheduleSpec = { instanceName: 'pg', plan: 'backup', schedule: '30 2 * * *' };
const FULL: PlanScheduleSpec = {
  ...SHORT,
  timeZone: 'Europe/Berlin',
  concurrencyPolicy: 'Wait',
  missedRunPolicy: 'Skip',
  startingDeadlineSeconds: 90,
  blackouts: [{ start: '0 18 24 12 *', durationMinutes: 2880, timeZone: 'UTC' }],
  parameters: { TARGET: 's3' },
  confirm: 'backup/pg',
};

describe('the form of a schedule', () => {
  it('gives back the spec that it was made of, without defaults', () => {
    expect(draftedSpec(scheduleDraft('nightly', SHORT))).toEqual(SHORT);
    expect(draftedSpec(scheduleDraft('nightly', FULL))).toEqual(FULL);
  });

  it('has no problem with either', () => {
    expect(scheduleProblems(scheduleDraft('nightly', SHORT))).toEqual({});
    expect(scheduleProblems(scheduleDraft('nightly', FULL))).toEqual({});
  });

  it('does not take a confirmation of another plan', () => {
    expect(scheduleDraft('nightly', { ...SHORT, confirm: 'restore/pg' }).isConfirmed).toBe(false);
  });

  it('says what is missing or wrong', () => {
    const empty = scheduleProblems(scheduleDraft('', {}));
    expect(Object.keys(empty)).toEqual(['name', 'instance', 'plan', 'times']);
    const draft = scheduleDraft('nightly', SHORT);
    expect(scheduleProblems({ ...draft, timeZone: 'Mars/Base' }).times).toContain('Mars/Base');
    expect(scheduleProblems({ ...draft, deadlineMinutes: 'soon' }).deadline).toContain('number of minutes');
    expect(scheduleProblems({ ...draft, deadlineMinutes: 'soon', missed: 'Skip' })).toEqual({});
    const blackouts = [{ start: '@daily', minutes: '99999', timeZone: '' }];
    expect(scheduleProblems({ ...draft, blackouts }).times).toContain('10080');
  });
});

describe('an edit of a schedule', () => {
  const before = scheduleDraft('nightly', FULL);

  it('writes only what differs, and takes away what is the default now', () => {
    expect(draftPatch(before, before)).toEqual({});
    const after = { ...before, concurrency: 'Forbid', expression: '@daily' } as const;
    expect(draftPatch(before, after)).toEqual({ schedule: '@daily', concurrencyPolicy: null });
    expect(draftPatch(before, { ...before, parameters: { SIZE: '3' } })).toEqual({
      parameters: { SIZE: '3', TARGET: null },
    });
  });

  it('keeps the suspension and written defaults, which the person did not change', () => {
    const draft = scheduleDraft('nightly', { ...SHORT, suspend: true, timeZone: 'UTC' });
    expect(draftPatch(draft, { ...draft, expression: '@daily' })).toEqual({ schedule: '@daily' });
  });
});

describe('the name of a new schedule', () => {
  it('is that of Instance and plan, with a number when it is taken', () => {
    expect(freeName('pg', 'backup', new Set())).toBe('pg-backup');
    expect(freeName('pg', 'backup', new Set(['pg-backup', 'pg-backup-2']))).toBe('pg-backup-3');
    expect(freeName('pg', 'Full_Copy', new Set())).toBe('pg-full-copy');
  });
});
