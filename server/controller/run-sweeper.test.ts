import { afterEach, expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import { ConflictError } from '@/lib/errors/errors';
import type { KubeObject } from '@/lib/kube/object';
import { ACTED_UPON_ANNOTATION } from '@/lib/kudo/plan/acted-upon-annotation';
import { HISTORY_ANNOTATION } from '@/lib/kudo/plan/run-history';
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
    owns: () => true,
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

it('keeps what a run remembered whose end is not announced yet, although somebody has emptied its execution', async () => {
  const record = {
    format: 2,
    operatorVersion: { name: 'app-1' },
    parameters: {},
    plan: 'deploy',
    uid: 'd1',
    startedAt: '',
  };
  const ended: Instance = {
    ...instance(''),
    metadata: { ...instance('').metadata, annotations: { [ACTED_UPON_ANNOTATION]: JSON.stringify(record) } },
    status: { planStatus: { deploy: { name: 'deploy', uid: 'd1', status: 'COMPLETE' } } },
  };
  const { clock, state, secrets } = cluster(ended);
  await clock.advance(0);
  expect(secrets()).toHaveLength(1);
  const history = JSON.stringify([['deploy', 'd1', 'C', '', '', null, []]]);
  const annotations = { ...ended.metadata.annotations, [HISTORY_ANNOTATION]: history };
  state.known = { ...ended, metadata: { ...ended.metadata, annotations } };
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
