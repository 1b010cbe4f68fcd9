import { expect, it } from 'vitest';
import { oneInstance } from './one-instance';
import type { SimulatedProcess } from './process';
import { hang, isWatch } from './requests';
import { makeWorld, type SimulatedWorld } from './world';

/** A world in which the first controller's lists of Instances hang for as long as `isBlind` says so. */
function worldOf(isBlind: () => boolean): Promise<SimulatedWorld> {
  let networks = 0;
  return makeWorld({
    seed: 'blind replica',
    weather: { faultPercent: 0 },
    podDelayMs: 1_000,
    onWatch: (transport) => {
      const isFirst = networks++ === 0;
      return {
        ...transport,
        request: (request) =>
          isFirst && isBlind() && !isWatch(request) && request.path.startsWith('/apis/kudo.dev/v1beta1/instances?')
            ? hang(request)
            : transport.request(request),
      };
    },
  });
}

it('leaves the lead to a replica that can read when another one cannot list', async () => {
  const world = await worldOf(() => true);
  await world.scheduler.drive(
    (async () => {
      const blind = await world.startController();
      await world.scheduler.pass(5_000);
      const seeing = await world.startController();
      const { comesToRest } = await oneInstance(world);
      expect(await comesToRest()).toBe(true);
      expect(leaders([blind, seeing])).toEqual(['controller-2']);
    })(),
  );
  await world.stop();
});

it('leads and acts as soon as its lists came, however late', async () => {
  let isBlind = true;
  const world = await worldOf(() => isBlind);
  await world.scheduler.drive(
    (async () => {
      const alone = await world.startController();
      const { comesToRest } = await oneInstance(world);
      await world.scheduler.pass(70_000);
      expect(leaders([alone])).toEqual([]);
      isBlind = false;
      await world.scheduler.until(() => alone.controller.leads, 70_000);
      const leadsSinceMs = world.clock.now();
      expect(await comesToRest()).toBe(true);
      expect(world.clock.now() - leadsSinceMs).toBeLessThan(5_000);
    })(),
  );
  await world.stop();
});

function leaders(processes: readonly SimulatedProcess[]): string[] {
  return processes.filter(({ controller }) => controller.leads).map(({ name }) => name);
}
