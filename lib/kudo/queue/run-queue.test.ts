import { describe, expect, it } from 'vitest';
import { atDoor, changed, execute, NOW, next, nextOf, running, set, stored } from '@/lib/kudo/admission/admit-fixture';
import { HISTORY_ANNOTATION } from '@/lib/kudo/plan/run-history';
import { TEST_FINGERPRINTS } from '@/lib/kudo/secrets/fingerprint-fixture';
import type { Instance } from '@/lib/kudo/types';
import { isProven } from './queue-proof';
import { formatRunQueue, QUEUE_ANNOTATION, type QueueEntry, runQueueOf, withRunQueue } from './run-queue';

/** What admission stores of a change. */
function pass(before: Instance, change: (instance: Instance) => void): Instance {
  const sent = changed(before, change);
  const { outcome, instance = sent, message } = atDoor(before, sent);
  if (outcome === 'denied' || outcome === 'error') throw new Error(message);
  return instance;
}

const plansOf = (instance: Instance) => runQueueOf(instance).entries.map(({ plan }) => plan);
const write = (text: string) => (instance: Instance) =>
  void Object.assign(instance.metadata.annotations ?? {}, { [QUEUE_ANNOTATION]: text });
const ask = (planName: string) => execute({ planName, uid: 'mine' });
const withBackup = pass(stored(running), ask('backup'));

describe('the text of a queue', () => {
  it('is read with what can be read, a plan once, and never more than twenty entries', () => {
    const entries = [
      { plan: 'a' },
      7,
      { plan: 'a', uid: 'x' },
      { uid: 'y' },
      { plan: 'b', cause: 'Magic', confirmed: 'yes' },
    ];
    const read = runQueueOf(
      withText(JSON.stringify({ entries, edit: { inputs: 'f', plans: ['a', 1], shared: ['b', {}] } })),
    );
    expect(read).toEqual({
      entries: [
        { plan: 'a', uid: '', cause: 'Manual', at: '' },
        { plan: 'b', uid: '', cause: 'Manual', at: '' },
      ],
      edit: { inputs: 'f', plans: ['a'], shared: ['b'] },
    });
    const many = Array.from({ length: 30 }, (_, index) => ({ plan: `p${index}` }));
    expect(runQueueOf(withText(JSON.stringify({ entries: many }))).entries).toHaveLength(20);
    for (const text of ['', '[]', 'no', '{"entries": 3}']) expect(runQueueOf(withText(text))).toEqual({ entries: [] });
  });

  it('goes with its last entry, and leaves an Instance without one as it is', () => {
    const bare = stored();
    expect(withRunQueue(bare, { entries: [] })).toBe(bare);
    expect(withRunQueue(withBackup, { entries: [] }).metadata.annotations).not.toHaveProperty([QUEUE_ANNOTATION]);
  });
});

describe('admission of what has to wait', () => {
  it('writes the entry with the edit, and the record stays that of the run in progress', () => {
    const after = pass(stored(running), set({ B: '1', C: '1' }));
    expect(after.spec).toMatchObject({
      parameters: { B: '1', C: '1' },
      planExecution: { planName: 'deploy', uid: 'd1' },
    });
    expect(plansOf(after)).toEqual(['backup', 'update']);
    expect(runQueueOf(after).entries[0]).toMatchObject({ cause: 'Parameters', at: NOW });
    expect(next(after)).toMatchObject({ do: 'continue', pending: { reason: 'WaitsForPlan' } });
  });

  it('adds an edit to what waits, and does not ask again for a plan that was taken off', () => {
    const first = pass(stored(running), set({ B: '1' }));
    const { edit } = runQueueOf(first);
    const off = pass(first, write(formatRunQueue({ entries: [], ...(edit === undefined ? {} : { edit }) })));
    expect(plansOf(off)).toEqual([]);
    expect(plansOf(pass(off, set({ C: '1' })))).toEqual(['update']);
    expect(plansOf(pass(off, ask('backup')))).toEqual(['backup']);
  });

  it('notes which plans waited before an edit that triggers them, too', () => {
    const both = pass(withBackup, set({ B: '1', C: '1' }));
    expect(plansOf(both)).toEqual(['backup', 'update']);
    expect(runQueueOf(both).edit).toMatchObject({ plans: ['update'], shared: ['backup'] });
    const more = pass(both, set({ B: '2' }));
    expect(runQueueOf(more).edit).toMatchObject({ plans: ['update'], shared: ['backup'] });
  });

  it('starts what is asked for when no plan runs, and takes the entry of that plan off', () => {
    const idle = changed(withBackup, (instance) => {
      execute({})(instance);
      instance.status = { planStatus: { deploy: { name: 'deploy', uid: 'd1', status: 'FATAL_ERROR' } } };
    });
    // The end of the plan that failed is announced, and nothing starts.
    expect(next(idle)).toMatchObject({ do: 'clear' });
    expect(plansOf(pass(idle, ask('update')))).toEqual(['backup']);
    expect(plansOf(pass(idle, ask('backup')))).toEqual([]);
    idle.status = { planStatus: { deploy: { name: 'deploy', uid: 'd1', status: 'COMPLETE' } } };
    const { uid } = runQueueOf(idle).entries[0] ?? {};
    expect(next(idle)).toMatchObject({ do: 'start', scheduled: { plan: 'backup', uid } });
  });
});

describe('a queue whose OperatorVersion was deleted', () => {
  /** Plan deploy has ended, as its history says, and an edit waits that triggers plan backup. */
  const endedAs = (status: 'COMPLETE' | 'FATAL_ERROR') =>
    changed(pass(stored(running), set({ B: '1' })), (instance) => {
      execute({})(instance);
      const history = JSON.stringify([['deploy', 'd1', status[0], '', '', null, []]]);
      Object.assign(instance.metadata.annotations ?? {}, { [HISTORY_ANNOTATION]: history });
      instance.status = { planStatus: { deploy: { name: 'deploy', uid: 'd1', status } } };
    });

  it('waits for it, and keeps the edit that waits', () => {
    expect(next(endedAs('COMPLETE'))).toMatchObject({ do: 'start', scheduled: { plan: 'backup' } });
    expect(nextOf(undefined, endedAs('COMPLETE'))).toMatchObject({ do: 'blocked' });
    expect(nextOf(undefined, endedAs('FATAL_ERROR'))).toMatchObject({ do: 'blocked' });
  });

  it('is held behind a plan that failed, as any other', () => {
    const { edit: _, ...queue } = runQueueOf(endedAs('FATAL_ERROR'));
    const held = withRunQueue(changed(endedAs('FATAL_ERROR'), set({ B: '' })), queue);
    delete held.spec?.parameters?.B;
    expect(nextOf(undefined, held)).toMatchObject({ do: 'rest', held: expect.stringContaining('plan deploy failed') });
  });
});

describe('what a person writes into a queue', () => {
  const [entry] = runQueueOf(withBackup).entries as [QueueEntry];

  it('may leave entries out and give them another order', () => {
    const both = pass(withBackup, ask('update'));
    const [backup, update] = runQueueOf(both).entries as [QueueEntry, QueueEntry];
    const turned = formatRunQueue({ entries: [update, backup] });
    expect(pass(both, write(turned)).metadata.annotations?.[QUEUE_ANNOTATION]).toBe(turned);
    expect(plansOf(pass(both, write('{}')))).toEqual([]);
  });

  it('becomes this person’s own request: plan and reason are believed, nothing else', () => {
    const forged = {
      ...entry,
      uid: 'old',
      by: 'admin',
      cause: 'Schedule' as const,
      confirmed: true as const,
      reason: 'r',
    };
    const after = pass(stored(running), write(formatRunQueue({ entries: [forged] })));
    const [own] = runQueueOf(after).entries as [QueueEntry];
    expect(own).toMatchObject({ plan: 'backup', cause: 'Manual', reason: 'r', at: NOW });
    for (const member of ['by', 'confirmed']) expect(own).not.toHaveProperty(member);
    expect(own.uid).not.toBe('old');
    expect(isProven(own, after, TEST_FINGERPRINTS)).toBe(true);
    expect(isProven({ ...own, by: 'admin' }, after, TEST_FINGERPRINTS)).toBe(false);
    // Everybody can read the fingerprint of a text that they choose: of a secret parameter.
    const { metadata } = after;
    const said = [metadata.uid ?? '', own.plan, own.uid, own.cause, own.at, 'admin', own.reason, '', '', '', true];
    const proof = TEST_FINGERPRINTS.of(`queued run ${JSON.stringify(said)}`);
    expect(isProven({ ...own, by: 'admin', confirmed: true, proof }, after, TEST_FINGERPRINTS)).toBe(false);
    const other = changed(after, (instance) => void Object.assign(instance.metadata, { uid: 'another' }));
    expect(isProven(own, other, TEST_FINGERPRINTS)).toBe(false);
  });

  it('is kept by a manifest that knows nothing of it, and is no part of a new Instance', () => {
    const bare = pass(withBackup, (sent) => void delete sent.metadata.annotations);
    expect(plansOf(bare)).toEqual(['backup']);
    const copy = atDoor(undefined, withBackup).instance;
    expect(copy?.metadata.annotations).not.toHaveProperty([QUEUE_ANNOTATION]);
  });
});

function withText(text: string): Instance {
  return changed(stored(), write(text));
}
