import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '@/lib/clock/clock';
import { messageOf } from '@/lib/errors/errors';
import { recentProblems } from '@/server/log/recent-problems';
import type { MetricValues } from '@/server/metrics/serve-metrics';
import type { PartCommand, PartMessage } from './part';

/** What a part needs to be to run in a worker. */
export interface RunningPart {
  readonly facts: { readonly [name: string]: string };
  /** What it measures; nothing when absent. */
  metrics?(): Promise<MetricValues>;
  /** Writes profiles of this thread; never rejects. */
  profile?(): Promise<void>;
  /** @param isHandover another process takes over */
  stop(isHandover: boolean): Promise<void>;
}

const BEAT_MS = 1_000;

/**
 * The life of a worker: starts the part with its settings, reports that, and ends it when asked. Anything that nobody
 * caught ends the worker with its last words: a part that cannot do its work must not look alive.
 */
export async function servePart<Settings>(
  start: (
    settings: Settings,
    tell: (state: string) => void,
    note: (about: string, words: string) => void,
  ) => Promise<RunningPart>,
): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error('This file is the entry of a worker.');
  const say = (message: PartMessage) => port.postMessage(message);
  const fail = (error: unknown) => {
    say({ type: 'failed', message: messageOf(error) });
    process.exitCode = 1;
    setImmediate(() => process.exit(1));
  };
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  try {
    const tell = (state: string) => say({ type: 'state', state });
    const note = (about: string, words: string) => say({ type: 'note', about, words });
    const part = await start(workerData as Settings, tell, note);
    port.on('message', (command: PartCommand) => {
      if (command.type === 'stop') part.stop(command.isHandover).then(() => process.exit(0), fail);
      else if (command.type === 'metrics') answer(part, command.number).then(say, fail);
      else part.profile?.().catch(fail);
    });
    say({ type: 'ready', facts: part.facts });
    const beat = () => {
      say({ type: 'beat' });
      systemClock.after(BEAT_MS, beat);
    };
    beat();
  } catch (error) {
    fail(error);
  }
}

async function answer(part: RunningPart, number: number): Promise<PartMessage> {
  return { type: 'metrics', number, values: (await part.metrics?.()) ?? [], problems: recentProblems() };
}
