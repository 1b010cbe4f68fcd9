import { describe, expect, it } from 'vitest';
import type { Instance } from '@/lib/kudo/types';
import {
  BREAK_LOCK_ANNOTATION,
  breakReasonOf,
  LOCK_ANNOTATION,
  lockInForce,
  lockRefusal,
  lockText,
  newLock,
  readLock,
} from './instance-lock';

const NOON = Date.parse('2026-01-01T12:00:00Z');
const instance = (annotations: { [name: string]: string }): Instance => ({
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'Instance',
  metadata: { name: 'pg', namespace: 'shop', annotations },
});
const locked = (lock: object) => instance({ [LOCK_ANNOTATION]: JSON.stringify(lock) });

describe('the text of a lock', () => {
  it.each([
    ['no JSON', 'soon', 'must be JSON: {"reason": "…", "until": "2026-01-31T18:00:00Z"}'],
    ['no reason', '{"reason":" ","until":"2026-01-01T13:00:00Z"}', 'needs a "reason"'],
    ['no end', '{"reason":"sale"}', 'needs an "until", a time like 2026-01-31T18:00:00Z'],
    ['a date alone', '{"reason":"sale","until":"2026-01-02"}', 'needs an "until", a time like 2026-01-31T18:00:00Z'],
    [
      'a day that no month has',
      '{"reason":"sale","until":"2026-13-45T00:00:00Z"}',
      'needs an "until", a time like 2026-01-31T18:00:00Z',
    ],
    [
      'a reason that is too long',
      JSON.stringify({ reason: 'x'.repeat(1_001), until: '2026-01-01T13:00:00Z' }),
      'has a "reason" of more than 1000 characters',
    ],
  ])('is none with %s', (_what, text, problem) => {
    expect(readLock(text)).toEqual({ problem });
    expect(lockInForce(instance({ [LOCK_ANNOTATION]: text }), NOON)).toBeUndefined();
  });

  it('is read in one line, whatever is in it', () => {
    const lock = { reason: ' Black\n Friday ', until: '2026-01-01T13:00:00+02:00', by: 'alice\nroot', extra: 1 };
    expect(readLock(JSON.stringify(lock))).toEqual({
      reason: 'Black Friday',
      until: '2026-01-01T13:00:00+02:00',
      by: 'alice root',
    });
  });
});

describe('a lock', () => {
  it('holds until its end, and not a moment longer', () => {
    const lock = { reason: 'sale', until: '2026-01-01T13:00:00Z' };
    const hour = 3_600_000;
    expect(lockInForce(locked(lock), NOON)).toEqual(lock);
    expect(lockInForce(locked(lock), NOON + hour - 1)).toEqual(lock);
    expect(lockInForce(locked(lock), NOON + hour)).toBeUndefined();
  });

  it('is named in the refusal with who, until when, why, and what to do', () => {
    const lock = { reason: 'Black Friday.', until: '2026-01-01T13:00:00Z', by: 'alice' };
    expect(lockRefusal(locked(lock), lock)).toBe(
      'Instance shop/pg is locked by alice until 2026-01-01T13:00:00Z: Black Friday. Unlock it with `bravo unlock pg -n shop`, or ' +
        'break the lock with `--break-lock REASON` (the annotation bravo.kudo.dev/break-lock in the same write)',
    );
  });

  it.each([
    ['30m', '2026-01-01T12:30:00Z'],
    ['4h', '2026-01-01T16:00:00Z'],
    ['7d', '2026-01-08T12:00:00Z'],
    ['2026-01-01T14:00:00+01:00', '2026-01-01T13:00:00Z'],
  ])('that a person asks for until %s ends at %s', (until, end) => {
    expect(newLock('sale', until, NOON)).toEqual({ reason: 'sale', until: end });
  });

  it.each([
    ['sale', 'tomorrow', 'the end must be a time like 2026-01-31T18:00:00Z, or 30m, 4h, 7d from now'],
    ['sale', '0h', 'the end must be a time like 2026-01-31T18:00:00Z, or 30m, 4h, 7d from now'],
    ['sale', '2026-01-01T12:00:00Z', 'the end 2026-01-01T12:00:00Z is over'],
    ['  ', '4h', 'the lock needs a "reason"'],
  ])('for %j until %s is refused', (reason, until, problem) => {
    expect(newLock(reason, until, NOON)).toEqual({ problem });
  });

  it('is written as JSON without what is not known', () => {
    expect(lockText({ reason: 'sale', until: '2026-01-01T13:00:00Z' })).toBe(
      '{"reason":"sale","until":"2026-01-01T13:00:00Z"}',
    );
  });
});

it('a lock is broken with a reason only', () => {
  expect(breakReasonOf(instance({ [BREAK_LOCK_ANNOTATION]: ' disk\n full ' }))).toBe('disk full');
  expect(breakReasonOf(instance({ [BREAK_LOCK_ANNOTATION]: ' ' }))).toBeUndefined();
  expect(breakReasonOf(instance({ [BREAK_LOCK_ANNOTATION]: 'x'.repeat(2_000) }))).toHaveLength(1_000);
});
