import { readdirSync, readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/** How many helper threads V8 has where nobody says it. */
const DEFAULT_POOL = 4;

/**
 * Gives V8's helper threads, which compile hot code beside the main thread, the lowest priority. A server that was just
 * started compiles for seconds, and on two cores each helper that runs keeps the main thread of this or another part from
 * answering: a tenth more plans in the first burst, and fewer late answers (decision 040). A machine with time to spare
 * compiles as before.
 *
 * Only Linux has a priority for each thread; elsewhere, and where it is refused, nothing changes.
 *
 * @returns the numbers of the threads that give way
 */
export function letCompilerGiveWay(): number[] {
  if (process.platform !== 'linux') return [];
  try {
    const threads = compilerThreads();
    for (const thread of threads) setPriority(thread, constants.priority.PRIORITY_LOW);
    return threads;
  } catch {
    return [];
  }
}

/**
 * Newer Node names its threads. Node 20 does not, and begins with the main thread, the one that keeps V8's timers, then the
 * pool: they have the lowest numbers of the process.
 */
function compilerThreads(): number[] {
  const threads = readdirSync('/proc/self/task')
    .map(Number)
    .sort((one, other) => one - other);
  const named = threads.filter((thread) => nameOf(thread).startsWith('V8Worker'));
  if (named.length > 0) return named;
  // Numbers of threads begin again from below when the machine has used them all: nobody can tell them apart then.
  if (threads[0] !== process.pid || threads.some((thread) => nameOf(thread) !== nameOf(process.pid))) return [];
  return threads.slice(2, 2 + poolSize(process.execArgv));
}

function nameOf(thread: number): string {
  return readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim();
}

function poolSize(flags: readonly string[]): number {
  for (const flag of flags) {
    const size = /^--v8-pool-size=(\d+)$/.exec(flag)?.[1];
    if (size !== undefined) return Number(size);
  }
  return DEFAULT_POOL;
}
