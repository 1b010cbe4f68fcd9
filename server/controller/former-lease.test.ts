import { expect, it } from 'vitest';
import { type Answer, scriptedApi } from '@/server/kube/test-api';
import { silentLog } from '@/server/log/log';
import { awaitFormerLease } from './former-lease';

const lease = (spec: object): Answer => ({
  body: { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'bravo-controller' }, spec },
});
const held = (renewTime: string) => lease({ holderIdentity: 'old', leaseDurationSeconds: 15, renewTime });
const NONE: Answer = { status: 404 };

/** Waits before a lease that is given read by read, the last answer for ever. */
function waiting(answers: readonly Answer[], namespace = 'kudo-system') {
  let reads = 0;
  const { api, clock } = scriptedApi(() => answers[Math.min(reads++, answers.length - 1)] ?? NONE);
  const yields: boolean[] = [];
  let isGone = false;
  const wait = awaitFormerLease({ api, clock, log: silentLog, namespace, onYield: (each) => yields.push(each) });
  wait.gone.then(() => {
    isGone = true;
  });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  /** Lets everything happen that is due within so many timers, and says whether the wait is over. */
  const after = async (timers: number) => {
    await settled();
    for (let count = 0; count < timers && !isGone && clock.runNext(); count++) await settled();
    return isGone;
  };
  return { after, yields, reads: () => reads };
}

it.each([
  ['there is no such lease', NONE],
  ['its holder gave it back', lease({ holderIdentity: '', leaseDurationSeconds: 1 })],
  ['the lease may not be read', { status: 403 }],
] satisfies [string, Answer][])('it goes on at once when %s', async (_case, answer) => {
  const { after, yields } = waiting([answer]);
  expect(await after(0)).toBe(true);
  expect(yields).toEqual([]);
});

it('it waits while another controller renews that lease, and goes on when the controller has stopped', async () => {
  const renewed = Array.from({ length: 20 }, (_, index) => held(`2100-01-01T00:00:${String(index).padStart(2, '0')}Z`));
  const { after, yields } = waiting([...renewed, lease({ holderIdentity: '' })]);
  expect(await after(19)).toBe(false);
  expect(yields).toEqual([true]);
  expect(await after(20)).toBe(true);
  expect(yields).toEqual([true, false]);
});

it('it goes on when the record has not changed for the duration of the lease', async () => {
  const { after } = waiting([held('2100-01-01T00:00:00Z')]);
  expect(await after(2)).toBe(false);
  expect(await after(8)).toBe(true);
});

it('it does not look for itself', async () => {
  const { after, reads } = waiting([held('2100-01-01T00:00:00Z')], 'default');
  expect(await after(0)).toBe(true);
  expect(reads()).toBe(0);
});
