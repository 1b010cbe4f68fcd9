import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './tree.mjs';

/** Seeds that a process gets at a time: a multiple of four, so that the seeds of one scenario stay together. */
const BLOCK = 20;
/** Fewer seeds than this are not worth a second process, in which V8 compiles and optimises the code again. */
const SEEDS_A_PROCESS = 100;
const PROGRESS_MS = 10_000;
/**
 * Most objects of a run are short-lived, so the young generation is large from the start. Faults are errors whose stack traces are
 * not needed.
 */
const FLAGS = ['--min-semi-space-size=64', '--max-semi-space-size=64', '--stack-trace-limit=0'];

/**
 * Distributes seeds to processes, block by block; prints each violation with the command that replays it, the progress every ten
 * seconds, and `N passed, N failed` at the end. Returns the exit status.
 *
 * @param {string} bundle path of the bundled simulator
 * @param {{from: number, seeds: number, faults: string, shards: string, processes: number}} options `processes` 0: one a core
 */
export async function simulateMany(bundle, { from, seeds, faults, shards, processes }) {
  const startedMs = performance.now();
  const total = { done: 0, failed: 0, plans: 0, calls: 0, cpuS: 0 };
  const end = from + seeds;
  let next = from;
  const wanted = processes || Math.min(availableParallelism(), Math.max(1, Math.floor(seeds / SEEDS_A_PROCESS)));
  const give = (worker) => {
    worker.block = undefined;
    if (next >= end) return worker.disconnect();
    const count = Math.min(BLOCK - ((next - 1) % BLOCK), end - next);
    worker.block = { from: next, count };
    worker.send(worker.block);
    next += count;
  };
  const take = (worker, { count, failed, plans, calls, cpuS, lines }) => {
    for (const line of lines) console.log(line);
    total.done += count;
    total.failed += failed;
    total.plans += plans;
    total.calls += calls;
    total.cpuS += cpuS;
    give(worker);
  };
  const progress = setInterval(() => console.log(howFar(total, seeds, performance.now() - startedMs)), PROGRESS_MS);
  const statuses = await Promise.all(
    Array.from({ length: wanted }, () => work(bundle, { faults, shards }, give, take)),
  );
  clearInterval(progress);
  console.log(summary(total, (performance.now() - startedMs) / 1_000));
  // The seeds of a process that died count as failed.
  total.failed += seeds - total.done;
  console.log(`${seeds - total.failed} passed, ${total.failed} failed`);
  return total.failed === 0 && statuses.every((status) => status === 0) ? 0 : 1;
}

/** One process, from its first block to its end. */
function work(bundle, { faults, shards }, give, take) {
  const args = [pathToFileURL(bundle).href, '--faults', faults, '--shards', shards];
  const worker = fork(join(root, 'scripts', 'simulate-worker.mjs'), args, { execArgv: FLAGS });
  worker.on('message', (result) => take(worker, result));
  give(worker);
  return new Promise((resolve) =>
    worker.on('exit', (status, signal) => {
      const { block } = worker;
      const seeds = block && `seeds ${block.from} to ${block.from + block.count - 1}`;
      if (seeds !== undefined)
        console.log(
          `FAIL a worker process ended (${signal ?? `status ${status}`}) during ${seeds}; the others continue`,
        );
      resolve(status);
    }),
  );
}

function howFar({ done, failed }, seeds, elapsedMs) {
  const left = done === 0 ? 'remaining time unknown' : `${duration((elapsedMs / done) * (seeds - done))} left`;
  return `${done} of ${seeds} seeds, ${failed} failed, ${left}`;
}

function summary({ plans, calls, cpuS }, seconds) {
  const speed = `${(plans / seconds).toFixed(1)} plans/s, ${(plans / cpuS).toFixed(1)} per second of CPU`;
  return `${plans} plans and ${calls} calls in ${duration(seconds * 1_000)}: ${speed} (${cpuS.toFixed(0)} s of CPU)`;
}

function duration(ms) {
  const seconds = Math.round(ms / 1_000);
  return seconds < 100 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
