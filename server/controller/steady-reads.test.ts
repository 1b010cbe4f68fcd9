import { expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import { TerminalError, TransientError } from '@/lib/errors/errors';
import { seededRandom } from '@/lib/random/random';
import type { Api } from '@/server/kube/api';
import { steadyReads } from './steady-reads';

const target = { group: '', version: 'v1', resource: 'configmaps', namespace: 'n', name: 'c' };
const found = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } };
const reset = () => new TransientError('The connection was reset.', 'Reset');

/** Asks once an API that fails in these ways, one after the other, each after a time. */
async function ask(failures: readonly Error[], takesMs = 0) {
  const clock = new VirtualClock();
  const left = [...failures];
  let asked = 0;
  const get = async () => {
    asked += 1;
    if (takesMs > 0) await new Promise<void>((resolve) => clock.after(takesMs, resolve));
    const failure = left.shift();
    if (failure !== undefined) throw failure;
    return found;
  };
  const api = steadyReads({ get } as unknown as Api, { clock, random: seededRandom('reads') });
  let answer: unknown;
  const done = api.get(target).then(
    (object) => (answer = object),
    (error: unknown) => (answer = error),
  );
  while (answer === undefined) {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    if (answer === undefined) clock.runNext();
  }
  await done;
  return { answer, asked };
}

it('asks again at once when a read fails for a moment', async () => {
  expect(await ask([reset(), reset()])).toEqual({ answer: found, asked: 3 });
});

it('gives up after the third', async () => {
  const last = reset();
  expect(await ask([reset(), reset(), last])).toEqual({ answer: last, asked: 3 });
});

it('does not ask again what will not work, who is to be asked later, or who was slow to fail', async () => {
  for (const failure of [
    new TerminalError('It is forbidden.', 'Forbidden'),
    new TransientError('The server is busy.', 'TooManyRequests', { retryAfterMs: 1_000 }),
  ]) {
    expect(await ask([failure])).toEqual({ answer: failure, asked: 1 });
  }
  const slow = reset();
  expect(await ask([slow], 15_000)).toEqual({ answer: slow, asked: 1 });
});
