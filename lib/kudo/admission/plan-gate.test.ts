import { describe, expect, it } from 'vitest';
import { CONFIRM_ANNOTATION } from '@/lib/kudo/names';
import { formatActedUpon } from '@/lib/kudo/plan/acted-upon';
import { nextAction } from '@/lib/kudo/plan/next-action';
import { confirmationText } from '@/lib/kudo/plan-metadata/confirmation';
import { TEST_FINGERPRINTS, TEST_RECORD } from '@/lib/kudo/secrets/fingerprint-fixture';
import type { Instance } from '@/lib/kudo/types';
import { saying, WIPE, wipingVersion } from '@/test/operators/destructive-operator';
import { admit } from './admit';
import { atDoorOf, changed, execute, NOW, set, stored } from './admit-fixture';
import { planForChange } from './triggers';

const version = wipingVersion('v1');
const before = stored({ parameters: { A: 'a' } });
const confirm =
  (text = confirmationText('wipe', 'i')) =>
  (instance: Instance) => {
    instance.metadata.annotations = { ...instance.metadata.annotations, [CONFIRM_ANNOTATION]: text };
  };
const sent = (...changes: ((instance: Instance) => void)[]) =>
  changed(before, (instance) => {
    for (const change of changes) change(instance);
  });
const atDoor = (next: Instance, was = before) => atDoorOf(version, was, next);
const wipe = execute({ planName: 'wipe', uid: 'w1' });

const REFUSAL =
  'failed to update Instance n/i: plan "wipe" of Instance i deletes or replaces data, and was not confirmed. All data are deleted. ' +
  'To confirm it once, run `kubectl annotate --overwrite -n n instances.kudo.dev i bravo.kudo.dev/confirm=wipe/i`, and start the plan again';

describe('the start of a destructive plan', () => {
  it.each([
    ['by planExecution', wipe],
    ['as our own client asks', execute({ planName: 'wipe', uid: 'w1', status: 'NEVER_RUN' })],
    ['by a parameter', set({ FROM: 'monday' })],
  ])('is refused without a confirmation, and the message says how to confirm: %s', (_how, change) => {
    expect(atDoor(sent(change))).toEqual({
      outcome: 'denied',
      code: 403,
      rule: 'confirm',
      plan: 'wipe',
      message: REFUSAL,
    });
  });

  it.each([
    ['by planExecution', wipe],
    ['by a parameter', set({ FROM: 'monday' })],
  ])('runs with the confirmation in the same write, which uses it up: %s', (_how, change) => {
    const decision = atDoor(sent(change, confirm()));
    expect(decision).toMatchObject({ outcome: 'allowed-with', plan: 'wipe' });
    expect(decision.instance?.metadata.annotations).not.toHaveProperty([CONFIRM_ANNOTATION]);
    expect(decision.instance?.spec?.planExecution).toMatchObject({ planName: 'wipe', uid: 'new' });
  });

  it('runs with a confirmation that was stored before', () => {
    const confirmed = sent(confirm());
    expect(atDoor(confirmed).outcome).toBe('allowed');
    const decision = atDoor(changed(confirmed, wipe), confirmed);
    expect(decision).toMatchObject({ outcome: 'allowed-with', plan: 'wipe' });
    expect(decision.instance?.metadata.annotations).not.toHaveProperty([CONFIRM_ANNOTATION]);
  });

  it.each([['wipe/other'], ['deploy/i'], ['true'], ['wipe'], ['']])(
    'is refused with a confirmation of something else: %s',
    (text) => {
      expect(atDoor(sent(wipe, confirm(text)))).toMatchObject({ outcome: 'denied', rule: 'confirm' });
    },
  );

  it('needs another confirmation for the next run', () => {
    const first = atDoor(sent(wipe, confirm())).instance;
    if (first === undefined) throw new Error('it does not start');
    const ended: Instance = {
      ...first,
      status: { planStatus: { wipe: { name: 'wipe', status: 'COMPLETE', uid: 'new' } } },
    };
    const again = changed(ended, execute({ planName: 'wipe', uid: 'w2' }));
    expect(atDoor(again, ended)).toMatchObject({ outcome: 'denied', rule: 'confirm' });
  });

  it('leaves a confirmation alone that another plan does not use', () => {
    const decision = atDoor(sent(set({ A: 'b' }), confirm()));
    expect(decision).toMatchObject({ outcome: 'allowed-with', plan: 'deploy' });
    expect(decision.instance?.metadata.annotations?.[CONFIRM_ANNOTATION]).toBe('wipe/i');
  });

  it('is not refused when the Instance is created: that confirms its first plan', () => {
    const destructive = { ...version, metadata: { ...version.metadata, annotations: saying({ deploy: WIPE }) } };
    const created = { ...before, metadata: { name: 'i', namespace: 'n' }, spec: { operatorVersion: { name: 'v1' } } };
    delete (created as Instance).status;
    expect(atDoorOf(destructive, undefined, created)).toMatchObject({ outcome: 'allowed-with', plan: 'deploy' });
    expect(atDoorOf(destructive, before, sent(set({ A: 'b' })))).toMatchObject({ rule: 'confirm', plan: 'deploy' });
  });

  it('is refused when a precondition does not hold, before anybody is asked to confirm', () => {
    const request = {
      operation: 'UPDATE',
      stored: before,
      sent: sent(wipe),
      versions: { sent: version, stored: version, actedUpon: version },
      newUid: 'new',
      now: NOW,
      fingerprints: TEST_FINGERPRINTS,
    } as const;
    expect(admit({ ...request, judge: ({ plan }) => `plan "${plan}" cannot start. Back up first` })).toMatchObject({
      outcome: 'denied',
      rule: 'precondition',
      message: 'failed to update Instance n/i: plan "wipe" cannot start. Back up first',
    });
  });
});

describe('the parameters that a plan asks for', () => {
  it('may be sent with its start, and are used by it', () => {
    const decision = atDoor(sent(wipe, set({ FROM: 'monday' }), confirm()));
    expect(decision).toMatchObject({ outcome: 'allowed-with', plan: 'wipe', rule: 'N11' });
    expect(decision.instance?.spec?.parameters).toMatchObject({ FROM: 'monday' });
  });

  it('do not cover others, which mean another plan', () => {
    expect(atDoor(sent(wipe, set({ FROM: 'monday', A: 'b' }), confirm()))).toMatchObject({
      outcome: 'denied',
      rule: 'N7',
    });
  });
});

describe('planForChange of a destructive plan', () => {
  it('says which confirmation the write needs, and what would run', () => {
    expect(planForChange(before, version, { plan: 'wipe' })).toMatchObject({
      outcome: 'runs',
      plan: 'wipe',
      confirmation: 'wipe/i',
    });
    expect(planForChange(before, version, { parameters: { FROM: 'x' } })).toMatchObject({ confirmation: 'wipe/i' });
    expect(planForChange(before, version, { parameters: { A: 'x' } })).not.toHaveProperty('confirmation');
  });
});

describe('the controller, where no webhook was asked', () => {
  const next = (instance: Instance) =>
    nextAction({
      instance,
      operatorVersion: version,
      actedUponVersion: version,
      newUid: 'controller',
      fingerprints: TEST_FINGERPRINTS,
    });

  it.each([
    ['by planExecution', wipe],
    ['as our own client asks', execute({ planName: 'wipe', uid: 'w1', status: 'NEVER_RUN' })],
  ])('takes an unconfirmed start back, with the same words: %s', (_how, change) => {
    expect(next(sent(change))).toEqual({ do: 'restore', scheduled: undefined, message: REFUSAL });
  });

  it('refuses an unconfirmed edit, and leaves it', () => {
    expect(next(sent(set({ FROM: 'monday' })))).toEqual({ do: 'refuse', message: REFUSAL });
  });

  it.each([
    ['by planExecution', wipe],
    ['as our own client asks', execute({ planName: 'wipe', uid: 'w1', status: 'NEVER_RUN' })],
    ['by a parameter', set({ FROM: 'monday' })],
    [
      'with the parameters that it asks for',
      (instance: Instance) => {
        execute({ planName: 'wipe', uid: 'w1', status: 'NEVER_RUN' })(instance);
        set({ FROM: 'monday' })(instance);
      },
    ],
  ])('starts a confirmed plan, and uses the confirmation up in the write that starts it: %s', (_how, change) => {
    const action = next(sent(change, confirm()));
    if (action.do !== 'start') throw new Error(`it does ${action.do}`);
    expect(action).toMatchObject({ scheduled: { plan: 'wipe' } });
    expect(action.keepsInputs ?? false).toBe(false);
    expect(action.instance.metadata.annotations).not.toHaveProperty([CONFIRM_ANNOTATION]);
  });

  it('goes on with a run that has begun, without another confirmation', () => {
    const record = formatActedUpon({ spec: before.spec ?? {} }, TEST_RECORD, {
      plan: 'wipe',
      uid: 'w1',
      startedAt: NOW,
    });
    const begun = changed(before, (instance) => {
      instance.metadata.annotations = { 'bravo.kudo.dev/acted-upon': record };
      execute({ planName: 'wipe', uid: 'w1', status: 'IN_PROGRESS' })(instance);
      instance.status = { planStatus: { wipe: { name: 'wipe', status: 'IN_PROGRESS', uid: 'w1' } } };
    });
    expect(next(begun)).toEqual({ do: 'continue', scheduled: { plan: 'wipe', uid: 'w1' } });
  });
});
