import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { projectRoot } from '@/server/runtime/root';
import { type Figure, figure, percentile } from './figure';

const STARTS = 15;

/** The time until `bravo VERB` has ended: the median of some starts, after one that bundles the sources. */
export async function run(): Promise<Figure[]> {
  const verbs: [name: string, words: string[], atMost: number][] = [
    ['version', ['version'], 250],
    ['help', ['--help'], 250],
    ['verify', ['package', 'verify', join(projectRoot, 'operators/hello/1.0.0')], 1_000],
  ];
  return verbs.map(([name, words, atMost]) => {
    start(words);
    const times = Array.from({ length: STARTS }, () => start(words));
    return figure(`cli-${name}-ms`, percentile(times, 50), 'ms', { atMost });
  });
}

function start(words: readonly string[]): number {
  const began = performance.now();
  const { status } = spawnSync(process.execPath, [join(projectRoot, 'bin/bravo'), ...words], { stdio: 'ignore' });
  if (status !== 0) throw new Error(`bravo ${words.join(' ')} ended with ${status}`);
  return performance.now() - began;
}
