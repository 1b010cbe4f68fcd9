import { runSeeds, type SeedsResult } from './run-seeds';
import { simulate } from './simulate';

/** A block of seeds that scripts/simulate.mjs asks a worker process for. */
interface Block {
  readonly from: number;
  readonly count: number;
}

/**
 * `npm run simulate -- --seed S [--trace] [--faults P] [--shards N]` runs one seed and prints its digest and every violation. Without a
 * seed it is a worker: it takes blocks of seeds from its parent, one after the other, and answers what came of each.
 */
export async function main(argv: readonly string[]): Promise<number> {
  const option = (name: string) => {
    const at = argv.indexOf(`--${name}`);
    return at < 0 ? undefined : argv[at + 1];
  };
  const faultPercent = Number(option('faults') ?? 20);
  const shards = Number(option('shards') ?? 1);
  const seed = option('seed');
  if (seed !== undefined) return showSeed(seed, { faultPercent, shards, keepsTrace: argv.includes('--trace') });
  await serveBlocks(({ from, count }) => runSeeds(from, count, { faultPercent, shards }));
  return 0;
}

async function showSeed(
  seed: string,
  options: { faultPercent: number; shards: number; keepsTrace: boolean },
): Promise<number> {
  const { trace, digest, calls, violations } = await simulate(seed, options);
  for (const line of trace) console.log(line);
  console.log(`trace ${digest}, ${calls} calls`);
  for (const violation of violations) console.log(`FAIL seed ${seed}: ${violation}`);
  console.log(violations.length === 0 ? '1 passed, 0 failed' : '0 passed, 1 failed');
  return violations.length === 0 ? 0 : 1;
}

/** Ends when the parent is gone. */
async function serveBlocks(run: (block: Block) => Promise<SeedsResult>): Promise<void> {
  await new Promise<void>((resolve) => {
    process.on('disconnect', resolve);
    process.on('message', (block: Block) => {
      run(block).then((result) => process.send?.({ ...block, ...result }));
    });
  });
}
