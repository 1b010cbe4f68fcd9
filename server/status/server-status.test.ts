import { describe, expect, it } from 'vitest';
import { scriptedApi, statusBody } from '@/server/kube/test-api';
import { mayReadStatus } from './may-read-status';
import { type ProcessStatus, readProductStatus } from './server-status';

const own: ProcessStatus = {
  console: {
    version: '0.2.0',
    node: '20',
    uptimeMs: 1,
    memoryBytes: 1,
    topics: [],
    audit: { mode: 'file', folder: '/data/audit', lost: 0, problem: undefined },
    certificate: undefined,
  },
  cluster: { name: 'prod', context: 'prod', server: 'https://api.example.org', isSandbox: false },
  controller: { state: 'off', webhook: undefined, leaseProblem: undefined, figures: undefined },
  problems: [],
  leaseNamespace: async () => 'default',
};

const LEASE = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: 'bravo-controller', namespace: 'default', resourceVersion: '1' },
  spec: { holderIdentity: 'a/1/2', leaseDurationSeconds: 15, leaseTransitions: 1 },
};
const listOf = (items: readonly object[]) => ({
  kind: 'LeaseList',
  apiVersion: 'v1',
  metadata: { resourceVersion: '1' },
  items,
});
const signal = new AbortController().signal;

describe('readProductStatus', () => {
  it('adds version and leases of controllers, as the person may see them', async () => {
    const { api, clock } = scriptedApi(({ path }) => {
      if (path === '/version') return { body: { gitVersion: 'v1.36.2' } };
      const renewed = { ...LEASE, spec: { ...LEASE.spec, renewTime: new Date(clock.now() - 4_000).toISOString() } };
      return { body: listOf([renewed, { ...LEASE, metadata: { ...LEASE.metadata, name: 'kube-scheduler' } }]) };
    });
    const status = await readProductStatus(own, api, { clock, signal });
    expect(status.cluster).toMatchObject({ version: 'v1.36.2', problem: undefined });
    expect(status.leases).toEqual([
      { name: 'bravo-controller', holder: 'a/1/2', renewedMsAgo: 4_000, durationMs: 15_000, transitions: 1 },
    ]);
  });

  it('says what the person may not read', async () => {
    const { api, clock } = scriptedApi(({ path }) =>
      path === '/version' ? { body: { gitVersion: 'v1.36.2' } } : { status: 403, body: statusBody(403, 'no') },
    );
    const status = await readProductStatus(own, api, { clock, signal });
    expect(status.leases).toBeUndefined();
    expect(status.leaseProblem).toBe('you may not list leases in the namespace of the controller');
  });

  it('answers within three seconds when the API server does not', async () => {
    const { api, clock } = scriptedApi(() => ({ hang: true }));
    const reading = readProductStatus(own, api, { clock, signal });
    await clock.advance(3_000);
    const status = await reading;
    expect(status.cluster.problem).not.toBe(undefined);
    expect(status.leases).toBeUndefined();
  });
});

describe('mayReadStatus', () => {
  const person = (answer: Parameters<typeof scriptedApi>[0]) => {
    const { api } = scriptedApi(answer);
    return { user: { name: 'dev', groups: [] }, identity: 'dev', api };
  };
  const process = scriptedApi(() => ({})).api;

  it('is true for the person of the kubeconfig, who has the authority of the process', async () => {
    const own = person(() => ({ status: 403, body: statusBody(403, 'no') }));
    expect(await mayReadStatus(own, own.api, signal)).toBe(true);
  });

  it('is true for others who may list all Instances, and false for those who may not', async () => {
    expect(
      await mayReadStatus(
        person(() => ({ body: listOf([]) })),
        process,
        signal,
      ),
    ).toBe(true);
    expect(
      await mayReadStatus(
        person(() => ({ status: 404, body: statusBody(404, 'no CRD') })),
        process,
        signal,
      ),
    ).toBe(true);
    expect(
      await mayReadStatus(
        person(() => ({ status: 403, body: statusBody(403, 'no') })),
        process,
        signal,
      ),
    ).toBe(false);
  });

  it('fails when the API server does not say it', async () => {
    const broken = person(() => ({ status: 500, body: statusBody(500, 'broken') }));
    await expect(mayReadStatus(broken, process, signal)).rejects.toThrow('broken');
  });
});
