import { describe, expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import { INSTANCES, kudoCrds } from '@/lib/kudo/crds/crds';
import { seededRandom } from '@/lib/random/random';
import type { Api, RawRequest } from '@/server/kube/api';
import { plainCluster } from '@/server/kube/credentials';
import { createApi } from '@/server/kube/http-api';
import { silentLog } from '@/server/log/log';
import { startSandbox } from '@/server/sandbox/sandbox';
import { StoredRunMemory } from './run-memory';

const SECRETS = { group: '', version: 'v1', resource: 'secrets', namespace: 'default' };
const INSTANCE = {
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'Instance',
  metadata: { name: 'sim', namespace: 'default', uid: 'i' },
};
const VERSION = { apiVersion: 'kudo.dev/v1beta1', kind: 'OperatorVersion', metadata: { name: 'sim-1.0.0' }, spec: {} };

const CRDS = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };

const KEY = new Uint8Array(32).fill(7);
const at = (api: Api) => ({ api, instance: INSTANCE, log: silentLog });
const run = (uid: string) => ({ uid, operatorVersion: VERSION, key: KEY, inputs: {} });
const noVersion = () => Promise.resolve(undefined);

/** Creates the Instance, or changes the run that it names. */
async function nameRun(api: Api, uid: string): Promise<void> {
  const target = { ...INSTANCES, namespace: 'default', name: 'sim' };
  const spec = { operatorVersion: { name: 'sim-1.0.0' }, planExecution: { planName: 'deploy', uid } };
  if ((await api.get(target)) === undefined) await api.create(target, { ...INSTANCE, spec });
  else await api.patch(target, 'merge', { spec });
}

/** A sandbox, and a client that loses the answer to one request when told. */
async function withSandbox(run: (client: Client) => Promise<void>): Promise<void> {
  const clock = new VirtualClock();
  const random = seededRandom('run memory');
  const sandbox = await startSandbox({ port: 'none', mode: 'no-controllers', podDelayMs: 0, clock, random });
  let isLost = false;
  const transport = {
    async request(request: RawRequest) {
      const authorization = `Bearer ${sandbox.adminToken}`;
      const response = await sandbox.inject({ ...request, headers: { ...request.headers, authorization } });
      if (!isLost) return response;
      isLost = false;
      throw Object.assign(new Error('the answer is lost'), { code: 'ECONNRESET' });
    },
    openSocket: () => Promise.reject(new Error('no sockets')),
    close: () => Promise.resolve(),
  };
  const api = createApi(plainCluster({ server: sandbox.url, token: sandbox.adminToken }), { clock, random, transport });
  const loseNextAnswer = () => {
    isLost = true;
  };
  try {
    for (const crd of kudoCrds()) await api.create(CRDS, crd);
    await run({ api, loseNextAnswer });
  } finally {
    await sandbox.stop();
  }
}

interface Client {
  readonly api: ReturnType<typeof createApi>;
  loseNextAnswer(): void;
}

describe('the memory of a run', () => {
  it('removes its Secret although the answer to writing it was lost', () =>
    withSandbox(async ({ api, loseNextAnswer }) => {
      const memory = new StoredRunMemory(run('u1'));
      loseNextAnswer();
      await expect(memory.store(at(api))).rejects.toThrow();
      await memory.drop(api, INSTANCE);
      expect((await api.list(SECRETS)).items.filter(({ type }) => type === 'bravo.kudo.dev/run')).toEqual([]);
    }));

  it('does not write over the Secret of whoever went on with the run meanwhile', () =>
    withSandbox(async ({ api }) => {
      const late = new StoredRunMemory(run('u1'));
      await late.store(at(api));
      await nameRun(api, 'u2');
      const now = new StoredRunMemory(run('u2'));
      await now.store(at(api));
      await late.rendered('task', async () => ({ objects: [], warnings: [] }));
      await expect(late.store(at(api))).rejects.toThrow('modified');
      expect((await StoredRunMemory.load(at(api), 'u2', noVersion))?.uid).toBe('u2');
    }));

  it('does not write over the Secret of the run that the Instance names, as a process whose watch is late', () =>
    withSandbox(async ({ api }) => {
      await nameRun(api, 'u2');
      const now = new StoredRunMemory(run('u2'));
      await now.store(at(api));
      const late = new StoredRunMemory(run('u1'), 'unknown');
      await expect(late.store(at(api))).rejects.toThrow('Instance sim names run u2, not u1.');
      await now.rendered('task', async () => ({ objects: [], warnings: [] }));
      expect(await now.store(at(api))).toBe(true);
    }));

  it('creates no Secret as a process whose watch is late, when the run that the Instance names creates it first', () =>
    withSandbox(async ({ api }) => {
      await nameRun(api, 'u2');
      const late = new StoredRunMemory(run('u1'));
      await new StoredRunMemory(run('u2')).store(at(api));
      await expect(late.store(at(api))).rejects.toThrow('Instance sim names run u2, not u1.');
      expect((await StoredRunMemory.load(at(api), 'u2', noVersion))?.uid).toBe('u2');
    }));

  it('does not delete the Secret that the next run has taken over meanwhile', () =>
    withSandbox(async ({ api }) => {
      const late = new StoredRunMemory(run('u1'));
      await late.store(at(api));
      await nameRun(api, 'u2');
      await new StoredRunMemory(run('u2'), 'unknown').store(at(api));
      await late.drop(api, INSTANCE);
      expect((await StoredRunMemory.load(at(api), 'u2', noVersion))?.uid).toBe('u2');
    }));

  it('deletes its Secret although somebody has labelled it meanwhile', () =>
    withSandbox(async ({ api }) => {
      const memory = new StoredRunMemory(run('u1'));
      await memory.store(at(api));
      await api.patch({ ...SECRETS, name: 'sim.bravo-run' }, 'merge', { metadata: { labels: { seen: 'yes' } } });
      await memory.drop(api, INSTANCE);
      expect(await StoredRunMemory.load(at(api), 'u1', noVersion)).toBeUndefined();
    }));

  it('deletes what the run before left although somebody has labelled it meanwhile', () =>
    withSandbox(async ({ api }) => {
      const before = new StoredRunMemory(run('u1'));
      await before.store(at(api));
      await api.patch({ ...SECRETS, name: 'sim.bravo-run' }, 'merge', { metadata: { labels: { seen: 'yes' } } });
      await new StoredRunMemory(run('u2'), before).drop(api, INSTANCE);
      expect(await StoredRunMemory.load(at(api), 'u1', noVersion)).toBeUndefined();
    }));

  it('takes over the Secret of the run that it replaces', () =>
    withSandbox(async ({ api }) => {
      const before = new StoredRunMemory(run('u1'));
      await before.store(at(api));
      await new StoredRunMemory(run('u2'), before).drop(api, INSTANCE);
      expect(await StoredRunMemory.load(at(api), 'u1', noVersion)).toBeUndefined();
    }));
});
