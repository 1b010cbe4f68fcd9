import { describe, expect, it } from 'vitest';
import { BREAK_LOCK_ANNOTATION, type InstanceLock, LOCK_ANNOTATION, lockText } from '@/lib/kudo/lock/instance-lock';
import { correctedLock, provenLock } from '@/lib/kudo/lock/lock-proof';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import { nextAction } from '@/lib/kudo/plan/next-action';
import { beginningOf, newPlanRun } from '@/lib/kudo/runs/new-run';
import { TEST_FINGERPRINTS } from '@/lib/kudo/secrets/fingerprint-fixture';
import type { Instance } from '@/lib/kudo/types';
import { wipingVersion } from '@/test/operators/destructive-operator';
import { admit } from './admit';
import { changed, execute, NOW, set, stored } from './admit-fixture';
import { planForChange } from './triggers';

const version = wipingVersion('v1');
const NOW_MS = Date.parse(NOW);
const HOUR_MS = 3_600_000;
const PLACE = { metadata: { namespace: 'n', name: 'i' } };
const prove = (lock: InstanceLock) => lockText(provenLock(PLACE, lock, TEST_FINGERPRINTS));
const LOCK = prove({ reason: 'sale', until: '2026-01-01T01:00:00Z', by: 'alice', since: '2025-12-31T00:00:00Z' });
const BROKEN = 'The lock of alice until 2026-01-01T01:00:00Z (sale) was broken: disk full';
const REFUSAL =
  'Instance n/i is locked by alice until 2026-01-01T01:00:00Z: sale. Unlock it with `bravo unlock i -n n`, or break the lock ' +
  'with `--break-lock REASON` (the annotation bravo.kudo.dev/break-lock in the same write)';

const annotate = (name: string, text: string) => (instance: Instance) => {
  instance.metadata.annotations = { ...instance.metadata.annotations, [name]: text };
};
const lock = (text = LOCK) => annotate(LOCK_ANNOTATION, text);
const breakLock = annotate(BREAK_LOCK_ANNOTATION, 'disk full');
const unlock = (instance: Instance) => {
  const { [LOCK_ANNOTATION]: _, ...annotations } = instance.metadata.annotations ?? {};
  instance.metadata.annotations = annotations;
};
const unlocked = stored({ parameters: { A: 'a' } });
const locked = changed(unlocked, lock());
const sent = (...changes: ((instance: Instance) => void)[]) =>
  changed(locked, (instance) => {
    for (const change of changes) change(instance);
  });
const atDoor = (next: Instance, was: Instance | 'none' = locked, afterMs = 0) =>
  admit({
    operation: was === 'none' ? 'CREATE' : 'UPDATE',
    stored: was === 'none' ? undefined : was,
    sent: next,
    versions: { sent: version, stored: version, actedUpon: version },
    newUid: 'new',
    fingerprints: TEST_FINGERPRINTS,
    now: new Date(NOW_MS + afterMs).toISOString(),
    by: 'bob',
  });
const start = execute({ planName: 'deploy', uid: 'w1' });
const byAnnotation = (instance: Instance | undefined, name: string) => instance?.metadata.annotations?.[name];

const STARTS = [
  ['by planExecution', start],
  ['as our own client asks', execute({ planName: 'deploy', uid: 'w1', status: 'NEVER_RUN' })],
  ['by a parameter', set({ A: 'b' })],
] as const;

describe('the start of a plan of a locked Instance', () => {
  it.each(STARTS)('is refused: %s', (_how, change) => {
    expect(atDoor(sent(change))).toEqual({
      outcome: 'denied',
      code: 403,
      rule: 'lock',
      plan: 'deploy',
      message: REFUSAL,
    });
  });

  it.each(STARTS)('is refused in the write that unlocks it, and in the one that locks it: %s', (_how, change) => {
    expect(atDoor(sent(unlock, change))).toMatchObject({ outcome: 'denied', rule: 'lock' });
    expect(atDoor(sent(change), unlocked)).toMatchObject({ outcome: 'denied', rule: 'lock' });
  });

  it.each(STARTS)('runs when the lock is over, to the millisecond: %s', (_how, change) => {
    expect(atDoor(sent(change), locked, HOUR_MS - 1)).toMatchObject({ outcome: 'denied', rule: 'lock' });
    const after = atDoor(sent(change), locked, HOUR_MS);
    expect(after).toMatchObject({ outcome: 'allowed-with', plan: 'deploy' });
  });

  it.each(STARTS)(
    'runs when the lock is broken with a reason, which the start takes off and keeps: %s',
    (_how, change) => {
      const { instance, outcome, plan } = atDoor(sent(change, breakLock));
      expect({ outcome, plan }).toEqual({ outcome: 'allowed-with', plan: 'deploy' });
      expect(byAnnotation(instance, BREAK_LOCK_ANNOTATION)).toBeUndefined();
      expect(byAnnotation(instance, LOCK_ANNOTATION)).toBe(LOCK);
      if (instance === undefined) throw new Error('nothing is stored');
      expect(actedUpon(instance)?.origin).toMatchObject({ by: 'bob', reason: 'disk full', brokenLock: BROKEN });
      const scheduled = { plan: 'deploy', uid: 'new' };
      expect(newPlanRun(instance, scheduled, 1).spec).toMatchObject({ requestedBy: 'bob', reason: 'disk full' });
      const entry = { at: NOW.replace('Z', '.000Z'), event: 'LockBroken', by: 'bob', message: BROKEN };
      expect(beginningOf(instance, scheduled).steering).toEqual([entry]);
    },
  );

  it('keeps no trace of a lock that there was none of', () => {
    const next = changed(unlocked, (instance) => {
      start(instance);
      breakLock(instance);
    });
    const { instance } = atDoor(next, unlocked);
    expect(byAnnotation(instance, BREAK_LOCK_ANNOTATION)).toBeUndefined();
    expect(instance === undefined ? undefined : actedUpon(instance)?.origin).not.toHaveProperty('brokenLock');
  });

  it('is refused again after a broken lock: one reason is one start', () => {
    const { instance = locked } = atDoor(sent(start, breakLock));
    const done = changed(instance, (each) => {
      each.spec = { ...each.spec, planExecution: {} };
      each.status = { planStatus: { deploy: { name: 'deploy', status: 'COMPLETE', uid: 'new' } } };
    });
    expect(atDoor(changed(done, set({ A: 'c' })), done)).toMatchObject({ outcome: 'denied', rule: 'lock' });
  });
});

describe('what a lock does not hold', () => {
  it('is the first plan of an Instance that is created locked', () => {
    const created = changed(unlocked, lock());
    delete created.status;
    expect(atDoor(created, 'none')).toMatchObject({ outcome: 'allowed-with', plan: 'deploy' });
  });

  it('is a write that starts nothing, and the end of what runs', () => {
    expect(atDoor(sent(annotate('team', 'shop')))).toMatchObject({ outcome: 'allowed' });
    const running = changed(locked, (each) => {
      each.spec = { ...each.spec, planExecution: { planName: 'deploy', uid: 'd0', status: 'IN_PROGRESS' } };
    });
    const ended = changed(running, execute({}));
    expect(atDoor(ended, running).outcome).not.toBe('denied');
  });
});

describe('the author of a lock', () => {
  const author = (text: string, was: Instance | 'none' = unlocked) =>
    byAnnotation(atDoor(changed(was === 'none' ? unlocked : was, lock(text)), was).instance, LOCK_ANNOTATION);

  it('is who sends it, whatever the text says', () => {
    const text = '{"reason":"sale","until":"2026-01-01T01:00:00Z","by":"mallory","since":"2020-01-01T00:00:00Z"}';
    const since = NOW.replace('Z', '.000Z');
    const expected = prove({ reason: 'sale', until: '2026-01-01T01:00:00Z', by: 'bob', since });
    expect(author(text)).toBe(expected);
    expect(author(text, 'none')).toBe(expected);
  });

  it('stays when the same lock is sent again', () => {
    expect(author('{"reason":"sale","until":"2026-01-01T01:00:00Z"}', locked)).toBe(LOCK);
  });

  it('is nobody when a person made it up while no webhook answered', () => {
    const until = '2026-01-01T01:00:00Z';
    const bare = `{"reason":"sale","until":"${until}"}`;
    const madeUp = `{"reason":"sale","until":"${until}","by":"alice","proof":"00000000:${'0'.repeat(32)}"}`;
    const forged = changed(unlocked, lock(madeUp));
    expect(correctedLock(forged, TEST_FINGERPRINTS)).toBe(bare);
    expect(correctedLock(locked, TEST_FINGERPRINTS)).toBeUndefined();
    expect(correctedLock(changed(unlocked, lock(bare)), TEST_FINGERPRINTS)).toBeUndefined();
    const elsewhere = changed(locked, (each) => {
      each.metadata.name = 'other';
    });
    expect(correctedLock(elsewhere, TEST_FINGERPRINTS)).toBe(bare);
    // The controller's correction passes the webhook.
    expect(byAnnotation(atDoor(changed(forged, lock(bare)), forged).instance, LOCK_ANNOTATION) ?? bare).toBe(bare);
  });

  it('is another one when reason or end change, and a reason to break the former lock is gone', () => {
    expect(author('{"reason":"sale","until":"2026-01-01T02:00:00Z"}', locked)).toContain('"by":"bob"');
    const { instance } = atDoor(sent(breakLock, lock('{"reason":"more","until":"2026-01-01T02:00:00Z"}')));
    expect(byAnnotation(instance, BREAK_LOCK_ANNOTATION)).toBeUndefined();
  });

  it('is not found for a text that is no lock, which is refused', () => {
    expect(atDoor(changed(unlocked, lock('soon')), unlocked)).toMatchObject({
      outcome: 'denied',
      rule: 'lock',
      message: expect.stringContaining('the annotation bravo.kudo.dev/lock must be JSON'),
    });
  });
});

describe('planForChange of a locked Instance', () => {
  const nowMs = NOW_MS;

  it('says what admission says, also with a reason to break the lock', () => {
    expect(planForChange(locked, version, { plan: 'deploy', nowMs })).toMatchObject({
      outcome: 'refused',
      message: REFUSAL,
    });
    const broken = { plan: 'deploy', nowMs, breakLock: 'disk full' };
    expect(planForChange(locked, version, broken)).toMatchObject({ outcome: 'runs', plan: 'deploy' });
    expect(planForChange(locked, version, { plan: 'wipe', nowMs, breakLock: 'x' })).toMatchObject({
      outcome: 'runs',
      confirmation: 'wipe/i',
    });
  });
});

describe('the controller, where no webhook was asked', () => {
  const next = (instance: Instance, nowMs = NOW_MS) =>
    nextAction({
      instance,
      operatorVersion: version,
      actedUponVersion: version,
      newUid: 'controller',
      fingerprints: TEST_FINGERPRINTS,
      nowMs,
    });

  it('takes a start back, leaves an edit, and gives the words of the webhook', () => {
    const [trigger, asOurs, edit] = STARTS.map(([, change]) => next(sent(change)));
    expect(trigger).toEqual({ do: 'restore', scheduled: undefined, message: REFUSAL });
    expect(asOurs).toEqual({ do: 'restore', scheduled: undefined, message: REFUSAL });
    expect(edit).toEqual({ do: 'refuse', message: REFUSAL });
  });

  it('starts the edit when the lock is over or broken', () => {
    expect(next(sent(set({ A: 'b' })), NOW_MS + HOUR_MS)).toMatchObject({ do: 'start', scheduled: { plan: 'deploy' } });
    for (const [, change] of STARTS) {
      expect(next(sent(change, breakLock))).toMatchObject({ do: 'start', scheduled: { plan: 'deploy' } });
    }
  });

  it('goes on with what began before the lock, also when the webhook has only decided it', () => {
    const { instance = unlocked } = atDoor(changed(unlocked, start), unlocked);
    const decided = changed(instance, lock());
    expect(next(decided)).toMatchObject({ do: 'start', scheduled: { plan: 'deploy', uid: 'new' } });
    const begun = changed(decided, (each) => {
      each.status = { planStatus: { deploy: { name: 'deploy', status: 'IN_PROGRESS', uid: 'new' } } };
    });
    expect(next(begun)).toEqual({ do: 'continue', scheduled: { plan: 'deploy', uid: 'new' } });
  });
});
