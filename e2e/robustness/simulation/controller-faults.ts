import { type Random, randomInteger } from '@/lib/random/random';
import type { SimulatedProcess } from './process';
import type { Simulation } from './simulation';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

export interface Chaos {
  isOver(): boolean;
  /** The controllers share the Instances. */
  readonly isSharded: boolean;
}

/**
 * Starts one or two controllers, or two to four that share the Instances, and disturbs them until `isOver`, at random times: one dies and another one starts, the leader is
 * suspended past its lease and resumed later, a clock jumps.
 */
export async function disturbControllers(
  simulation: Simulation,
  random: Random,
  { isOver, isSharded }: Chaos,
): Promise<void> {
  const living: SimulatedProcess[] = [];
  const start = async () => {
    // Ten minutes ahead or behind.
    const clockOffsetMs = [0, 10 * MINUTE_MS, -10 * MINUTE_MS][randomInteger(random, 3)] ?? 0;
    living.push(await simulation.startController({ clockOffsetMs }));
  };
  await start();
  if (isSharded || randomInteger(random, 2) === 0) await start();
  for (let more = isSharded ? randomInteger(random, 3) : 0; more > 0; more--) await start();
  while (!isOver()) {
    await simulation.scheduler.until(isOver, 2_000 + randomInteger(random, 45_000));
    if (isOver()) break;
    await disturbOne(simulation, random, living, { start, isSharded });
  }
  for (const each of living) each.clock.thaw();
}

async function disturbOne(
  simulation: Simulation,
  random: Random,
  living: SimulatedProcess[],
  { start, isSharded }: { start(): Promise<void>; readonly isSharded: boolean },
): Promise<void> {
  const leader = isSharded ? undefined : living.find(({ controller, clock }) => controller.leads && !clock.isFrozen);
  const victim = leader ?? living[randomInteger(random, living.length)];
  const kind = randomInteger(random, 6);
  if (victim === undefined) return;
  if (kind < 2) {
    victim.crash();
    living.splice(living.indexOf(victim), 1);
    if (living.length === 0 || randomInteger(random, 2) === 0) await start();
  } else if (kind < 4) {
    victim.clock.freeze();
    // Another controller must exist that can take over.
    if (living.length === 1) await start();
    simulation.clock.after(1_000 + randomInteger(random, 60_000), () => victim.clock.thaw());
  } else if (kind === 4) {
    victim.clock.step([HOUR_MS, -HOUR_MS, 1_500, -1_500][randomInteger(random, 4)] ?? 0);
  }
}
