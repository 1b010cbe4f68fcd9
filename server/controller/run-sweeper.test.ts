import { afterEach, expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import { ConflictError } from '@/lib/errors/errors';
import type { KubeObject } from '@/lib/kube/object';
import type { Instance } from '@/lib/kudo/types';
import { seededRandom } from '@/lib/random/random';
import { silentLog } from '@/server/log/log';
import { RUN_SECRET_TYPE } from '@/server/runs/run-secret';
import type { ReconcilerDeps } from './reconciler-deps';
import { RunSweeper, SWEEP_AGAIN_MS, SWEEP_EVERY_MS } from './run-sweeper';

const instance = (planName: string): Instance => ({
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'Instance',
  metadata: { name: 'app', namespace: 'demo' },
  spec: { planExecution: { planName } },
});

/** A cluster with the memory of one run; `known` is what the controller's watch says of its Instance. */
function cluster(known: Instance | undefined) {
  const clock = new VirtualClock();
  let secrets: KubeObject[] = [
    {
      apiVersion: 'v1',
      kind: 'Secret',
      type: RUN_SECRET_TYPE,
      metadata: { name: 'app.bravo-run', namespace: 'demo', uid: 'u', resourceVersion: '1' },
    },
  ];
  const state: { known: Instance | undefined; stored: Instance | undefined; lists: number; conflicts: number } = {
    known,
    stored: undefined,
    lists: 0,
    conflicts: 0,
  };
  const deps = {
    clock,
    random: seededRandom('sweeper'),
    log: silentLog,
    store: { get: () => state.known },
    planRuns: { isServed: false },
    api: {
      list: async () => {
        state.lists += 1;
        return { items: secrets };
      },
      get: async () => state.stored ?? state.known,
      delete: async () => {
        if (state.conflicts-- > 0) throw new ConflictError('it was written meanwhile', 'Conflict');
        secrets = [];
      },
    },
  };
  sweeper = new RunSweeper();
  sweeper.start(deps as unknown as ReconcilerDeps);
  return { clock, state, secrets: () => secrets };
}

let sweeper: RunSweeper | undefined;
afterEach(() => sweeper?.stop());

it('C08 removes at once what a run remembered that is over', async () => {
  const { clock, secrets } = cluster(instance(''));
  await clock.advance(0);
  expect(secrets()).toEqual([]);
});

it('C08 looks again within a minute when the watch of a new leader was cut off before the end of the run', async () => {
  const { clock, state, secrets } = cluster(instance('deploy'));
  await clock.advance(0);
  expect(secrets()).toHaveLength(1);
  state.known = instance('');
  await clock.advance(SWEEP_AGAIN_MS);
  expect(secrets()).toEqual([]);
});

it('C08 looks again within a minute at what was written while it was being removed', async () => {
  const { clock, state, secrets } = cluster(instance(''));
  state.conflicts = 1;
  await clock.advance(0);
  expect(secrets()).toHaveLength(1);
  await clock.advance(SWEEP_AGAIN_MS);
  expect(secrets()).toEqual([]);
});

it('C08 leaves what a run under way remembers when the watch of a new leader has not told of that run', async () => {
  const { clock, state, secrets } = cluster(instance(''));
  state.stored = instance('update');
  await clock.advance(0);
  expect(secrets()).toHaveLength(1);
  state.stored = instance('');
  await clock.advance(SWEEP_AGAIN_MS);
  expect(secrets()).toEqual([]);
});

it('asks every five minutes when nothing was left', async () => {
  const { clock, state } = cluster(undefined);
  await clock.advance(0);
  await clock.advance(SWEEP_EVERY_MS - 1);
  expect(state.lists).toBe(1);
  await clock.advance(1);
  expect(state.lists).toBe(2);
});
