import { describe, expect, it } from 'vitest';
import { INVENTORY_ANNOTATION } from '@/lib/kudo/inventory/inventory';
import { formatActedUpon } from '@/lib/kudo/plan/acted-upon';
import { ACTED_UPON_ANNOTATION } from '@/lib/kudo/plan/acted-upon-annotation';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import { HISTORY_ANNOTATION } from '@/lib/kudo/plan/run-history';
import { withoutPreview } from '@/lib/kudo/plan/without-preview';
import { claimText, requestAnnotations } from '@/lib/kudo/runs/run-request';
import { slotUid } from '@/lib/kudo/schedules/slot-uid';
import { fingerprinter } from '@/lib/kudo/secrets/fingerprint';
import { TEST_RECORD } from '@/lib/kudo/secrets/fingerprint-fixture';
import type { Instance } from '@/lib/kudo/types';
import { atDoor, changed, execute, NOW, next, running, set, stored } from './admit-fixture';

/** What the API stores. */
function pass(before: Instance | undefined, sent: Instance): Instance {
  const decision = atDoor(before, sent);
  expect(decision).toMatchObject({ outcome: expect.stringMatching(/^allowed/) });
  return decision.instance ?? sent;
}

describe('the door of the API', () => {
  it('writes the record with the edit that starts a plan, and the controller begins exactly that', () => {
    const after = pass(stored(), changed(stored(), set({ B: '1' })));
    expect(after.spec?.planExecution).toEqual({ planName: 'backup', uid: 'new', status: 'NEVER_RUN' });
    expect(actedUpon(after)).toMatchObject({ parameters: { B: '1' }, plan: 'backup', uid: 'new', startedAt: NOW });
    expect(next(after)).toMatchObject({ do: 'start', scheduled: { plan: 'backup', uid: 'new' } });
  });

  it('takes an edit and a trigger as soon as the status says that the plan is over, before planExecution is empty', () => {
    const over = (status: 'COMPLETE' | 'FATAL_ERROR') => stored({ ...running, plans: { deploy: [status, 'd1'] } });
    for (const before of [over('COMPLETE'), over('FATAL_ERROR')]) {
      const after = pass(before, changed(before, set({ B: '1' })));
      expect(after.spec?.planExecution).toEqual({ planName: 'backup', uid: 'new', status: 'NEVER_RUN' });
      const triggered = pass(
        before,
        changed(before, execute({ planName: 'deploy', uid: 'mine', status: 'IN_PROGRESS' })),
      );
      expect(triggered.spec?.planExecution).toEqual({ planName: 'deploy', uid: 'new', status: 'NEVER_RUN' });
      expect(next(triggered)).toMatchObject({ do: 'start', scheduled: { plan: 'deploy', uid: 'new' } });
      expect(pass(before, changed(before, execute({}))).spec?.planExecution).toEqual({});
      expect(atDoor(before, changed(before, execute({ planName: 'cleanup', uid: 'mine' })))).toMatchObject({
        rule: 'N8',
      });
    }
    const before = stored(running);
    expect(atDoor(before, changed(before, set({ B: '1' })))).toMatchObject({
      rule: 'N1',
      queued: [{ plan: 'backup' }],
    });
  });

  it('keeps the execution that is recorded and not over when another one was written over it while nobody was asked', () => {
    const begun = { uid: 'd2' };
    const asked = { planName: 'backup', uid: 'b', status: 'NEVER_RUN' } as const;
    const again = execute({ ...asked, uid: 'c' });
    const decidedOnly = stored({ begun, execution: asked, plans: { deploy: ['IN_PROGRESS', 'd1'] } });
    expect(atDoor(decidedOnly, changed(decidedOnly, again))).toMatchObject({
      rule: 'N5',
      queued: [{ plan: 'backup' }],
    });
    const emptied = stored({ ...running, execution: {} });
    expect(atDoor(emptied, changed(emptied, set({ B: '1' })))).toMatchObject({ outcome: 'denied', rule: 'N1' });
    expect(pass(decidedOnly, changed(decidedOnly, execute({ planName: 'deploy', uid: 'd2' }))).spec).toMatchObject({
      planExecution: { planName: 'deploy', uid: 'd2' },
    });
    const over = stored({ begun, execution: asked, plans: { deploy: ['COMPLETE', 'd2'] } });
    expect(pass(over, changed(over, again)).spec?.planExecution).toMatchObject({ planName: 'backup', uid: 'new' });
  });

  it('keeps the uid of a slot when a schedule asks and proves it, and of nobody else', () => {
    const uid = slotUid('schedule', Date.parse(NOW));
    const ask = (slot: string, asked: string) =>
      pass(
        stored(),
        changed(stored(), (instance) => {
          execute({ planName: 'backup', uid: asked })(instance);
          const request = requestAnnotations('backup', { reason: 'schedule nightly', slot });
          instance.metadata.annotations = { ...instance.metadata.annotations, ...request };
        }),
      );
    const proof = claimText(uid, 'Schedule', TEST_RECORD.fingerprints);
    const started = ask(proof, uid);
    expect(started.spec?.planExecution).toMatchObject({ planName: 'backup', uid });
    expect(actedUpon(started)).toMatchObject({ uid, origin: { cause: 'Schedule', reason: 'schedule nightly' } });
    expect(next(started)).toMatchObject({ do: 'start', scheduled: { plan: 'backup', uid } });
    const forged = ask(claimText(uid, 'Schedule', fingerprinter(new Uint8Array(32))), uid);
    expect(forged.spec?.planExecution?.uid).toBe('new');
    expect(actedUpon(forged)).toMatchObject({ origin: { cause: 'Manual' } });
    expect(ask(proof, 'mine').spec?.planExecution?.uid).toBe('new');
    // A person reads the fingerprint of any text: that of a secret parameter with this value.
    const read = TEST_RECORD.fingerprints.of(`execution ${uid} of a schedule`);
    expect(ask(`${uid} ${read}`, uid).spec?.planExecution?.uid).toBe('new');
  });

  it('lets nobody else write the record, nor take it away', () => {
    const before = stored();
    const forged = changed(before, (sent) => {
      sent.metadata.annotations = { [ACTED_UPON_ANNOTATION]: '{"parameters":{"FIXED":"y"}}', a: 'b' };
    });
    expect(pass(before, forged).metadata.annotations).toEqual({ ...before.metadata.annotations, a: 'b' });
    const bare = changed(before, (sent) => {
      delete sent.metadata.annotations;
      set({ B: '1' })(sent);
    });
    expect(actedUpon(pass(before, bare))).toMatchObject({ plan: 'backup', parameters: { B: '1' } });
    const hidden = changed(before, (sent) => {
      set({ FIXED: 'y' })(sent);
      sent.metadata.annotations = { [ACTED_UPON_ANNOTATION]: formatActedUpon(sent, TEST_RECORD) };
    });
    expect(atDoor(before, hidden)).toMatchObject({ outcome: 'denied', rule: 'check3' });
  });

  it('takes a record in a new object for a copy of another Instance', () => {
    const copy = stored({ parameters: { A: '1' } });
    const after = pass(undefined, copy);
    expect(after.spec?.planExecution).toEqual({ planName: 'deploy', uid: 'new' });
    expect(actedUpon(after)).toMatchObject({ plan: 'deploy', uid: 'new', parameters: { A: '1', FIXED: 'x' } });
  });

  it.each([
    ['inventory of what a plan left', INVENTORY_ANNOTATION],
    ['history of runs', HISTORY_ANNOTATION],
  ])('keeps the %s, and lets no copy have it', (_what, name) => {
    const inventory = { [name]: '{"objects":[]}' };
    const before = changed(stored(), (one) => void Object.assign(one.metadata.annotations ?? {}, inventory));
    for (const change of [set({ B: '1' }), () => undefined]) {
      const bare = changed(before, (sent) => {
        delete sent.metadata.annotations;
        change(sent);
      });
      expect(pass(before, bare).metadata.annotations).toMatchObject(inventory);
    }
    expect(pass(undefined, before).metadata.annotations).not.toHaveProperty([name]);
    const renewed = changed(before, (sent) => void Object.assign(sent.metadata.annotations ?? {}, { [name]: '{}' }));
    expect(pass(before, renewed)).toEqual(renewed);
  });

  it('lets the token of a preview be taken off the record of a run that has ended, and nothing else', () => {
    const origin = { cause: 'Manual', preview: '0123456789abcdef.' } as const;
    const given = { ...running, begun: { uid: 'd1', origin } };
    const cleared = (instance: Instance) => {
      execute({})(instance);
      const annotations = instance.metadata.annotations ?? {};
      annotations[ACTED_UPON_ANNOTATION] = withoutPreview(annotations[ACTED_UPON_ANNOTATION] ?? '');
    };
    const over = stored({ ...given, plans: { deploy: ['COMPLETE', 'd1'] } });
    const after = pass(over, changed(over, cleared));
    expect(actedUpon(after)).toMatchObject({ uid: 'd1', origin: { cause: 'Manual' } });
    expect(actedUpon(after)?.origin).not.toHaveProperty('preview');
    const otherwise = changed(over, cleared);
    const record = { ...actedUpon(otherwise), origin: { cause: 'Create' } };
    Object.assign(otherwise.metadata.annotations ?? {}, { [ACTED_UPON_ANNOTATION]: JSON.stringify(record) });
    expect(actedUpon(pass(over, otherwise))?.origin).toEqual(origin);
  });

  it('lets nobody say afterwards that somebody else asked for the run that is under way, or why', () => {
    const origin = { cause: 'Manual', by: 'ada', reason: 'month end' } as const;
    const given = { ...running, begun: { uid: 'd1', origin } };
    const before = stored(given);
    const forged = (other: object) =>
      changed(before, (sent) => {
        const record = { ...actedUpon(sent), ...other };
        Object.assign(sent.metadata.annotations ?? {}, { [ACTED_UPON_ANNOTATION]: JSON.stringify(record) });
      });
    expect(actedUpon(pass(before, forged({ origin: { ...origin, by: 'bob' } })))?.origin).toEqual(origin);
    expect(actedUpon(pass(before, forged({ origin: undefined })))?.origin).toEqual(origin);
  });

  it('counts an edit that was stored while nobody was asked into the next one', () => {
    const unseen = stored({ parameters: { B: '1' }, seen: {} });
    expect(atDoor(unseen, changed(unseen, set({ C: '1' })))).toMatchObject({
      plan: 'backup',
      queued: [{ plan: 'update' }],
    });
    const same = pass(unseen, changed(unseen, set({ B: '2' })));
    expect(same.spec?.planExecution).toMatchObject({ planName: 'backup', uid: 'new' });
  });

  it('lets an edit that would have been refused be taken back', () => {
    const unseen = stored({ parameters: { FIXED: 'y' }, seen: { FIXED: 'x' } });
    const back = pass(unseen, changed(unseen, set({ FIXED: 'x' })));
    // Nothing to decide: what is left to do is to tell of the last run.
    expect(next(back)).toMatchObject({ do: 'clear', scheduled: { uid: 'd0' } });
    expect(atDoor(unseen, changed(unseen, set({ B: '1' })))).toMatchObject({ outcome: 'denied', rule: 'check3' });
  });

  it('ADM-17 ADM-18 empties planExecution at once when a person writes its end, and the controller ends the plan', () => {
    for (const status of ['COMPLETE', 'FATAL_ERROR'] as const) {
      const before = stored(running);
      const after = pass(before, changed(before, execute({ planName: 'deploy', uid: 'd1', status })));
      expect(after.spec?.planExecution).toEqual({});
      expect(next(after)).toEqual({ do: 'abandon', scheduled: { plan: 'deploy', uid: 'd1' }, status });
      after.status = { planStatus: { deploy: { name: 'deploy', uid: 'd1', status } } };
      expect(next(after).do).toBe('rest');
    }
  });

  it('does not look at a status that was sent with a write of the spec', () => {
    const before = stored();
    const sent = changed(before, set({ B: '1' }));
    sent.status = {};
    expect(pass(before, sent)).toMatchObject({ status: {}, spec: { planExecution: { planName: 'backup' } } });
  });
});
