import { expect, it } from 'vitest';
import { randomInteger, seededRandom } from '@/lib/random/random';
import { startNode } from '@/test/programs/process';
import type { SimulatedProcess } from './process';
import { type Simulation, startSimulation } from './simulation';

/** `npm run simulate -- --seeds 20000 --shards 8` runs more. */
const SEEDS = 12;
const SHARDS = 16;
const shards = Array.from({ length: SHARDS }, (_, shard) => shard);
const CONTROLLERS = 4;
const KILLS = 4;
/** From the death of a holder to the next one. */
const MOVED_WITHIN_MS = 15_000;

it(`holds every invariant with shards while requests fail and controllers die, seeds 1 to ${SEEDS}`, async () => {
  const command = startNode(['scripts/simulate.mjs', '--seeds', String(SEEDS), '--shards', '8']);
  const { code } = await command.exited();
  const lines = command.output().trimEnd().split('\n');
  expect(lines.filter((line) => line.startsWith('FAIL') || line.startsWith('replay'))).toEqual([]);
  expect(lines.at(-1)).toBe(`${SEEDS} passed, 0 failed`);
  expect(code).toBe(0);
}, 600_000);

it.each(['a', 'b', 'c'])(
  'gives every shard one holder again within 15 s of the death of a controller, and never two, seed %s',
  async (seed) => {
    const simulation = await startSimulation({ seed, faultRate: { percent: 0 }, podDelayMs: 0, shards: SHARDS });
    const moves = await simulation.scheduler.drive(killInTurn(simulation, seed));
    await simulation.stop();
    expect(moves.twice).toEqual([]);
    expect(moves.tookMs.filter((ms) => ms > MOVED_WITHIN_MS)).toEqual([]);
    expect(moves.tookMs).toHaveLength(KILLS);
  },
  120_000,
);

/** Kills a controller again and again at random times, and starts another one in its place. */
async function killInTurn(simulation: Simulation, seed: string) {
  const { scheduler, clock } = simulation;
  const random = seededRandom(`${seed} kills`);
  const living: SimulatedProcess[] = [];
  const twice: string[] = [];
  const holdersOf = (shard: number) => living.filter(({ controller }) => controller.leadsShard(shard));
  scheduler.onQuiet(() => {
    for (const shard of shards) {
      const names = holdersOf(shard).map(({ name }) => name);
      if (names.length > 1) twice.push(`shard ${shard}: ${names.join(', ')}`);
    }
  });
  const areHeld = () => shards.every((shard) => holdersOf(shard).length === 1);
  while (living.length < CONTROLLERS) living.push(await simulation.startController());
  await scheduler.until(areHeld, 60_000);
  const tookMs: number[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    await scheduler.pass(randomInteger(random, 20_000));
    await scheduler.until(areHeld, 60_000);
    const [victim] = living.splice(randomInteger(random, living.length), 1);
    victim?.crash();
    const diedAtMs = clock.monotonic();
    await scheduler.until(areHeld, 60_000);
    tookMs.push(clock.monotonic() - diedAtMs);
    living.push(await simulation.startController());
  }
  return { twice, tookMs };
}
