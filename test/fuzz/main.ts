import { readFileSync, writeFileSync } from 'node:fs';
import { BravoError } from '@/lib/errors/errors';
import { seededRandom } from '@/lib/random/random';
import { archiveTargets } from './archive-targets';
import { chartTargets } from './chart-targets';
import type { FuzzOutcome, FuzzTarget } from './fuzz-target';
import { indexTargets } from './index-targets';

/** `BRAVO_FUZZ=20` makes twenty times as many cases, `BRAVO_FUZZ_SEED` begins with another seed. */
const TIMES = Number(process.env.BRAVO_FUZZ || 1);
const SEED = process.env.BRAVO_FUZZ_SEED || 'packages';
const GROUPS: { readonly [group: string]: readonly FuzzTarget[] } = {
  archives: archiveTargets,
  charts: chartTargets,
  indexes: indexTargets,
};

let running = '';

/** Gives a group of targets its cases, one after the other, and prints what it saw as JSON. */
async function fuzz(targets: readonly FuzzTarget[]): Promise<FuzzOutcome> {
  const grown = watchGrowth();
  const failures: string[] = [];
  const ms: { [target: string]: number } = {};
  let [cases, refused, peakUsedBytes] = [0, 0, 0];
  for (const { name, count, act } of targets) {
    const began = performance.now();
    for (let at = 0; at < count * TIMES; at++) {
      const seed = `${SEED}/${name}/${at}`;
      cases++;
      running = seed;
      try {
        await act(seededRandom(seed));
      } catch (error) {
        if (error instanceof BravoError) refused++;
        else if (failures.length < 10)
          failures.push(`${seed}: ${error instanceof Error ? error.stack : String(error)}`);
      }
      peakUsedBytes = Math.max(peakUsedBytes, usedBytes());
    }
    ms[name] = Math.round(performance.now() - began);
  }
  running = '';
  return { cases, refused, failures, peakUsedBytes, grownBytes: grown(), ms };
}

const COLLECT_FROM_BYTES = 40 * 1024 * 1024;

/** What is held. Garbage is not, and how much of it waits depends on how busy the machine is; so when it may be much, it is collected first. */
function usedBytes(): number {
  const sum = () => {
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  if (sum() > COLLECT_FROM_BYTES) globalThis.gc?.();
  return sum();
}

/** By how much the process has grown at most since the call. Loading its modules took more for a moment: Linux forgets that peak on request. */
function watchGrowth(): () => number {
  globalThis.gc?.();
  writeFileSync('/proc/self/clear_refs', '5');
  const of = (field: string) =>
    Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024;
  const beforeBytes = of('VmRSS');
  return () => of('VmHWM') - beforeBytes;
}

/** An input that is never answered empties the event loop, and ends the process. */
process.once('exit', () => {
  if (running !== '') process.stderr.write(`${running} was never answered\n`);
});

const [, , group = ''] = process.argv;
process.stdout.write(JSON.stringify(await fuzz(GROUPS[group] ?? [])));
