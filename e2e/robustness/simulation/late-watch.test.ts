import { expect, it } from 'vitest';
import type { RawRequest } from '@/server/kube/api';
import type { Transport } from '@/server/kube/transport';
import { oneInstance } from './one-instance';
import { isWatch, statusAnswer } from './requests';
import { makeWorld } from './world';

type Send = Transport['request'];

/** A server that does something else with some requests. */
function behind(does: (request: RawRequest, send: Send) => ReturnType<Send> | undefined) {
  return (transport: Transport): Transport => {
    const send: Send = (request) => transport.request(request);
    return { ...transport, request: (request) => does(request, send) ?? send(request) };
  };
}

/** Watches of OperatorVersions are open and silent. */
async function deaf(request: RawRequest, send: Send) {
  const response = await send(request);
  return isWatch(request) && request.path.includes('/operatorversions?') ? { ...response, body: nothing() } : response;
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  await new Promise(() => {});
}

const calm = { seed: 'late watch', weather: { faultPercent: 0 }, podDelayMs: 1_000 };

it('begins a plan with the templates that are stored then, though the watch has not told of them', async () => {
  const world = await makeWorld({ ...calm, onWatch: behind(deaf) });
  await world.scheduler.drive(
    (async () => {
      await (await world.startController()).controller.synced;
      const { comesToRest, editVersion, setParameter, own } = await oneInstance(world);
      expect(await comesToRest()).toBe(true);
      await editVersion('second');
      await setParameter('new');
      expect(await comesToRest()).toBe(true);
      expect(own()?.data).toMatchObject({ edition: 'second', a: 'new' });
    })(),
  );
  await world.stop();
});

it('does so as well when the answer to the write that begins the plan was lost', async () => {
  let loses = false;
  const world = await makeWorld({
    ...calm,
    onWatch: behind((request, send) => {
      if (!loses || request.method !== 'PUT' || !request.path.endsWith('/instances/sim')) return deaf(request, send);
      loses = false;
      return send(request).then(() => Promise.reject(Object.assign(new Error('lost'), { code: 'ECONNRESET' })));
    }),
  });
  await world.scheduler.drive(
    (async () => {
      await (await world.startController()).controller.synced;
      const { comesToRest, editVersion, setParameter, own } = await oneInstance(world);
      expect(await comesToRest()).toBe(true);
      await editVersion('second');
      loses = true;
      await setParameter('new');
      expect(await comesToRest()).toBe(true);
      expect(loses).toBe(false);
      expect(own()?.data).toMatchObject({ edition: 'second', a: 'new' });
    })(),
  );
  await world.stop();
});

it('goes on with the templates that it began with when a look failed, the version is edited and the process dies', async () => {
  let fails = true;
  const isStatus = ({ method, path }: RawRequest) => method === 'PUT' && path.endsWith('/instances/sim/status');
  const world = await makeWorld({
    ...calm,
    onWatch: behind((request) =>
      fails && world.sandbox.api.get(MADE) !== undefined && isStatus(request)
        ? Promise.resolve(statusAnswer(500, 'InternalError', 'not now'))
        : undefined,
    ),
  });
  await world.scheduler.drive(
    (async () => {
      const first = await world.startController();
      await first.controller.synced;
      const { comesToRest, editVersion, own } = await oneInstance(world);
      expect(await world.scheduler.until(() => own() !== undefined, 60_000)).toBe(true);
      await world.scheduler.pass(5_000);
      first.crash();
      await editVersion('second');
      fails = false;
      await world.startController();
      expect(await comesToRest()).toBe(true);
      expect(own()?.data).toMatchObject({ edition: 'first' });
    })(),
  );
  await world.stop();
});

const MADE = { group: '', version: 'v1', resource: 'configmaps', namespace: 'default', name: 'sim-deploy-own' };
