import { expect, it } from 'vitest';
import { oneInstance } from './one-instance';
import type { SimulatedProcess } from './process';
import { hang, isWatch } from './requests';
import { type Simulation, startSimulation } from './simulation';

/** A simulation in which the first controller's lists of Instances hang for as long as `isBlind` says so. */
function worldOf(isBlind: () => boolean): Promise<Simulation> {
  let networks = 0;
  return startSimulation({
    seed: 'blind replica',
    faultRate: { percent: 0 },
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

it('leaves the lease to a replica that can list when another one cannot', async () => {
  const simulation = await worldOf(() => true);
  await simulation.scheduler.drive(
    (async () => {
      const blind = await simulation.startController();
      await simulation.scheduler.pass(5_000);
      const seeing = await simulation.startController();
      const { comesToRest } = await oneInstance(simulation);
      expect(await comesToRest()).toBe(true);
      expect(leaders([blind, seeing])).toEqual(['controller-2']);
    })(),
  );
  await simulation.stop();
});

it('leads and reconciles as soon as its lists are answered, however late', async () => {
  let isBlind = true;
  const simulation = await worldOf(() => isBlind);
  await simulation.scheduler.drive(
    (async () => {
      const alone = await simulation.startController();
      const { comesToRest } = await oneInstance(simulation);
      await simulation.scheduler.pass(70_000);
      expect(leaders([alone])).toEqual([]);
      isBlind = false;
      await simulation.scheduler.until(() => alone.controller.leads, 70_000);
      const leadsSinceMs = simulation.clock.now();
      expect(await comesToRest()).toBe(true);
      expect(simulation.clock.now() - leadsSinceMs).toBeLessThan(5_000);
    })(),
  );
  await simulation.stop();
});

function leaders(processes: readonly SimulatedProcess[]): string[] {
  return processes.filter(({ controller }) => controller.leads).map(({ name }) => name);
}
