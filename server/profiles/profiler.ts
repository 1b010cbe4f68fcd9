import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeHeapSnapshot } from 'node:v8';
import { type Clock, formatTime, sleep } from '@/lib/clock/clock';
import { messageOf } from '@/lib/errors/errors';
import type { Log } from '@/server/log/log';
import { recordCpu } from './record-cpu';

export interface ProfilerOptions {
  readonly folder: string;
  /** Begins the names of its files: `console`, `controller`. */
  readonly part: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Replaces the snapshot of this thread, for tests. */
  readonly writeHeap?: (path: string) => void;
}

const CPU_MS = 10_000;
/** Files that are kept in the folder, of all parts together; the oldest ones go. A snapshot is about as large as the heap. */
export const MOST_PROFILES = 10;
const OWN_FILE = /^(console|controller)-\d{8}T\d{6}Z-\d+\.(cpuprofile|heapsnapshot)$/;
/** A heap snapshot holds every Secret that the process holds: nobody else may read it. */
const OWNER_ONLY = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

/**
 * Writes a CPU profile of ten seconds of this thread, then a heap snapshot, which stops the thread for about a second for each 100 MB. One at a
 * time: a second call meanwhile does nothing. Never fails; the log says what was written, or why not.
 */
export class Profiler {
  private isRunning = false;

  constructor(private readonly options: ProfilerOptions) {}

  async run(): Promise<void> {
    const { log, folder, part } = this.options;
    if (this.isRunning) {
      log.warn('profile.ignored', { reason: 'another profile is being recorded' });
      return;
    }
    this.isRunning = true;
    try {
      await mkdir(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
      log.warn('profile.started', { part, words: `CPU for ${CPU_MS / 1_000} s, then a heap snapshot` });
      await this.record(join(folder, this.nameOf()));
      await this.removeOld();
    } catch (error) {
      log.error('profile.failed', { part, problem: messageOf(error) });
    } finally {
      this.isRunning = false;
    }
  }

  private async record(path: string): Promise<void> {
    const { clock, log, part, writeHeap = writeHeapSnapshot } = this.options;
    const stop = await recordCpu();
    await sleep(clock, CPU_MS);
    const profile = `${path}.cpuprofile`;
    await writeFile(profile, await stop(), { mode: OWNER_ONLY, flag: 'wx' });
    const heap = `${path}.heapsnapshot`;
    await writeFile(heap, '', { mode: OWNER_ONLY, flag: 'wx' });
    writeHeap(heap);
    const words = 'the heap snapshot contains Secrets and tokens: do not share it';
    log.warn('profile.written', { part, profile, heap, words });
  }

  /** Two parts of one process begin at the same time. */
  private nameOf(): string {
    const time = formatTime(this.options.clock.now()).replace(/[-:]/g, '');
    return `${this.options.part}-${time}-${process.pid}`;
  }

  private async removeOld(): Promise<void> {
    const { folder } = this.options;
    const timeOf = (name: string) => name.slice(name.indexOf('-') + 1);
    const own = (await readdir(folder)).filter((name) => OWN_FILE.test(name));
    const oldestFirst = own.sort((a, b) => timeOf(a).localeCompare(timeOf(b)));
    for (const name of oldestFirst.slice(0, Math.max(0, own.length - MOST_PROFILES))) {
      await rm(join(folder, name), { force: true });
    }
  }
}
