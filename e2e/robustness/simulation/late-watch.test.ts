import { expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import { INSTANCES, OPERATOR_VERSIONS } from '@/lib/kudo/crds/crds';
import type { RawRequest } from '@/server/kube/api';
import type { Transport } from '@/server/kube/transport';
import { oneInstance } from './one-instance';
import { isWatch, simulatedStatus } from './requests';
import { FIRST_VERSION } from './script-objects';
import { startSimulation } from './simulation';

type Send = Transport['request'];

/** A server that handles some requests in another way. */
function behind(does: (request: RawRequest, send: Send) => ReturnType<Send> | undefined) {
  return (transport: Transport): Transport => {
    const send: Send = (request) => transport.request(request);
    return { ...transport, request: (request) => does(request, send) ?? send(request) };
  };
}

/** The watches of a resource are open, but send no events. */
const deafTo = (resource: string) => async (request: RawRequest, send: Send) => {
  const response = await send(request);
  return isWatch(request) && request.path.includes(`/${resource}?`) ? { ...response, body: nothing() } : response;
};
const deaf = deafTo('operatorversions');

async function* nothing(): AsyncGenerator<Uint8Array> {
  await new Promise(() => {});
}

const noFaults = { seed: 'late watch', faultRate: { percent: 0 }, podDelayMs: 1_000 };

it('starts a plan with the stored templates even when the watch has not sent them yet', async () => {
  const simulation = await startSimulation({ ...noFaults, onWatch: behind(deaf) });
  await simulation.scheduler.drive(
    (async () => {
      await (await simulation.startController()).controller.synced;
      const { comesToRest, editVersion, setParameter, own } = await oneInstance(simulation);
      expect(await comesToRest()).toBe(true);
      await editVersion('second');
      await setParameter('new');
      expect(await comesToRest()).toBe(true);
      expect(own()?.data).toMatchObject({ edition: 'second', a: 'new' });
    })(),
  );
  await simulation.stop();
});

it('does the same when the answer to the write that starts the plan was lost', async () => {
  let loses = false;
  const simulation = await startSimulation({
    ...noFaults,
    onWatch: behind((request, send) => {
      if (!loses || request.method !== 'PUT' || !request.path.endsWith('/instances/sim')) return deaf(request, send);
      loses = false;
      return send(request).then(() => Promise.reject(Object.assign(new Error('lost'), { code: 'ECONNRESET' })));
    }),
  });
  await simulation.scheduler.drive(
    (async () => {
      await (await simulation.startController()).controller.synced;
      const { comesToRest, editVersion, setParameter, own } = await oneInstance(simulation);
      expect(await comesToRest()).toBe(true);
      await editVersion('second');
      loses = true;
      await setParameter('new');
      expect(await comesToRest()).toBe(true);
      expect(loses).toBe(false);
      expect(own()?.data).toMatchObject({ edition: 'second', a: 'new' });
    })(),
  );
  await simulation.stop();
});

it('continues with the first templates when a reconcile failed, the version is edited and the process dies', async () => {
  let fails = true;
  const isStatus = ({ method, path }: RawRequest) => method === 'PUT' && path.endsWith('/instances/sim/status');
  const simulation = await startSimulation({
    ...noFaults,
    onWatch: behind((request) =>
      fails && simulation.sandbox.api.get(MADE) !== undefined && isStatus(request)
        ? Promise.resolve(simulatedStatus(500, 'InternalError', 'not now'))
        : undefined,
    ),
  });
  await simulation.scheduler.drive(
    (async () => {
      const first = await simulation.startController();
      await first.controller.synced;
      const { comesToRest, editVersion, own } = await oneInstance(simulation);
      expect(await simulation.scheduler.until(() => own() !== undefined, 60_000)).toBe(true);
      await simulation.scheduler.pass(5_000);
      first.crash();
      await editVersion('second');
      fails = false;
      await simulation.startController();
      expect(await comesToRest()).toBe(true);
      expect(own()?.data).toMatchObject({ edition: 'first' });
    })(),
  );
  await simulation.stop();
});

it('a new leader with an old copy of an Instance reverts nothing and keeps the Secret of its run', async () => {
  let started = 0;
  const second = behind(deafTo('instances'));
  const simulation = await startSimulation({
    ...noFaults,
    onWatch: (network) => (started++ === 0 ? network : second(network)),
  });
  await simulation.scheduler.drive(
    (async () => {
      const first = await simulation.startController();
      await first.controller.synced;
      const { comesToRest, setParameter, own } = await oneInstance(simulation);
      const annotations = { 'bravo.kudo.dev/self-heal': 'on' };
      await simulation.people.patch(SIM, 'merge', { metadata: { annotations } });
      expect(await comesToRest()).toBe(true);
      await simulation.scheduler.pass(5_000);
      await (await simulation.startController()).controller.synced;
      await setParameter('new');
      expect(await comesToRest()).toBe(true);
      const made = own();
      expect(made?.data).toMatchObject({ a: 'new' });
      first.crash();
      await simulation.scheduler.pass(60_000);
      expect(own()).toEqual(made);
    })(),
  );
  await simulation.stop();
});

it('records the inventory of a run once even when the answer to its last write was lost', async () => {
  let loses = true;
  let kept = 0;
  const simulation = await startSimulation({
    ...noFaults,
    onWatch: behind((request, send) => {
      const { method, path, body } = request;
      if (method === 'PATCH' && path.includes('/secrets/sim.bravo-objects')) kept++;
      const isLast = method === 'PUT' && path.endsWith('/instances/sim') && String(body).includes('"planExecution":{}');
      if (!loses || !isLast) return deafTo('instances')(request, send);
      loses = false;
      return send(request).then(() => Promise.reject(Object.assign(new Error('lost'), { code: 'ECONNRESET' })));
    }),
  });
  await simulation.scheduler.drive(
    (async () => {
      const { comesToRest } = await oneInstance(simulation);
      await simulation.people.patch(SIM, 'merge', { metadata: { annotations: { 'bravo.kudo.dev/self-heal': 'on' } } });
      await (await simulation.startController()).controller.synced;
      expect(await comesToRest()).toBe(true);
      expect(loses).toBe(false);
      await simulation.scheduler.pass(30_000);
      expect(kept).toBe(1);
    })(),
  );
  await simulation.stop();
});

it('waits with backoff for an OperatorVersion that was deleted after the webhook accepted an edit', async () => {
  let fails = false;
  let reads = 0;
  const simulation = await startSimulation({
    ...noFaults,
    hasWebhook: true,
    onWatch: behind(({ method, path }) => {
      if (method === 'GET' && path.endsWith(`/operatorversions/${FIRST_VERSION}`)) reads++;
      const isHeld = fails && method === 'PUT' && path.endsWith('/instances/sim/status');
      return isHeld ? Promise.resolve(simulatedStatus(500, 'InternalError', 'not now')) : undefined;
    }),
  });
  await simulation.scheduler.drive(
    (async () => {
      await (await simulation.startController()).controller.synced;
      const { comesToRest, setParameter, own } = await oneInstance(simulation);
      expect(await comesToRest()).toBe(true);
      fails = true;
      await setParameter('new');
      await simulation.scheduler.pass(2_000);
      const kept = simulation.sandbox.api.get(VERSION);
      await simulation.people.delete(VERSION);
      fails = false;
      reads = 0;
      await simulation.scheduler.pass(60_000);
      expect(simulation.sandbox.api.get(SIM)?.spec).toMatchObject({ planExecution: { status: 'NEVER_RUN' } });
      expect(reads).toBeGreaterThan(0);
      expect(reads).toBeLessThan(40);
      const { resourceVersion: _, uid: __, ...metadata } = kept?.metadata ?? {};
      await simulation.people.create({ ...VERSION, name: undefined }, { ...kept, metadata } as KubeObject);
      expect(await comesToRest()).toBe(true);
      expect(own()?.data).toMatchObject({ a: 'new' });
    })(),
  );
  await simulation.stop();
});

const SIM = { ...INSTANCES, namespace: 'default', name: 'sim' };
const VERSION = { ...OPERATOR_VERSIONS, namespace: 'default', name: FIRST_VERSION };
const MADE = { group: '', version: 'v1', resource: 'configmaps', namespace: 'default', name: 'sim-deploy-own' };
