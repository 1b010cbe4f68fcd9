import { Worker } from 'node:worker_threads';
import { systemClock } from '@/lib/clock/clock';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import type { LoggedProblem } from '@/lib/status/product-status';
import type { MetricValues } from '@/server/metrics/serve-metrics';
import { MetricQuestions } from './metric-questions';

/** What a part in a worker says to the main process. */
export type PartMessage =
  | { readonly type: 'ready'; readonly facts: { readonly [name: string]: string } }
  /** One sentence for the person who started it; the worker ends after it. */
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'state'; readonly state: string }
  /** A sentence about the part for a person. */
  | { readonly type: 'note'; readonly about: string; readonly words: string }
  /** Sent every second: its event loop turns. */
  | { readonly type: 'beat' }
  /** The answer to the command `metrics` of that number. */
  | ({ readonly type: 'metrics'; readonly number: number } & PartFigures);

/** What a part measures, and what went wrong in it lately. */
export interface PartFigures {
  readonly values: MetricValues;
  readonly problems: readonly LoggedProblem[];
}

/** What the main process says to a part. */
export type PartCommand =
  | { readonly type: 'stop'; readonly isHandover: boolean }
  | { readonly type: 'metrics'; readonly number: number }
  /** Writes a CPU profile and a heap snapshot of its thread. */
  | { readonly type: 'profile' };

/** A part of the product that runs in a worker of its own. */
export interface Part {
  /** What it reported when it was ready. */
  readonly facts: { readonly [name: string]: string };
  /** True when it sent nothing for some checks: it is overloaded, or hangs. */
  readonly isSilent: boolean;
  /** What it measures; undefined when it measures nothing, or does not answer within two seconds. */
  figures(): Promise<PartFigures | undefined>;
  /** Has it write a CPU profile and a heap snapshot of its thread; its log says where. */
  profile(): void;
  /** Asks it to end and waits; after `patienceMs` it is ended. `isHandover`: another process takes over. */
  stop(patienceMs: number, isHandover?: boolean): Promise<void>;
}

export interface PartOptions {
  /** Name of the worker's file beside the bundle, without `.mjs`. */
  readonly entry: 'sandbox-worker' | 'controller-worker';
  readonly settings: { readonly [name: string]: unknown };
  readonly onState?: (state: string) => void;
  readonly onNote?: (about: string, words: string) => void;
  /** Called when it ends without having been asked to, or was ended because it hangs. */
  readonly onDeath: (message: string) => void;
  /** The worker's file; beside the bundle by the entry's name when absent. */
  readonly file?: URL;
  /** How often it is checked whether the part lives; 5 s when absent. */
  readonly checkMs?: number;
}

const CHECK_MS = 5_000;
/** Checks without a message of the part until it counts as silent, and until it is ended. Checks and not time: this thread may be late too. */
const SILENT_CHECKS = 2;
const HANGING_CHECKS = 6;

/**
 * Starts a part and waits until it is ready.
 *
 * @throws TerminalError with the part's own sentence
 */
export function startPart(options: PartOptions): Promise<Part> {
  const worker = new Worker(options.file ?? new URL(`./${options.entry}.mjs`, import.meta.url), {
    workerData: options.settings,
    // Flags of the main process are not for workers: `--input-type` would stop them.
    execArgv: [],
  });
  let stopping = false;
  let ready = false;
  let silentChecks = 0;
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const questions = new MetricQuestions(systemClock, (command) => worker.postMessage(command));
  const stop = async (patienceMs: number, isHandover = false): Promise<void> => {
    stopping = true;
    worker.postMessage({ type: 'stop', isHandover } satisfies PartCommand);
    const patience = setTimeoutOf(patienceMs, () => void worker.terminate());
    await ended;
    patience();
  };
  return new Promise((resolve, reject) => {
    let reason = `The ${options.entry} ended before it was ready.`;
    const die = (message: string) => {
      reason = message;
    };
    const checkMs = options.checkMs ?? CHECK_MS;
    const check = () => {
      silentChecks += 1;
      if (silentChecks >= HANGING_CHECKS) {
        die(
          `The ${options.entry} did not answer for ${Math.round((checkMs * HANGING_CHECKS) / 1_000)} s and was ended.`,
        );
        void worker.terminate();
      } else next = systemClock.after(checkMs, check);
    };
    let next = systemClock.after(0, () => undefined);
    worker.on('message', (message: PartMessage) => {
      silentChecks = 0;
      if (message.type === 'failed') die(message.message);
      if (message.type === 'state') options.onState?.(message.state);
      if (message.type === 'metrics') questions.answer(message);
      if (message.type === 'note') options.onNote?.(message.about, message.words);
      if (message.type === 'ready') {
        ready = true;
        reason = `The ${options.entry} ended unexpectedly.`;
        next = systemClock.after(checkMs, check);
        resolve({
          facts: message.facts,
          get isSilent() {
            return silentChecks >= SILENT_CHECKS;
          },
          figures: () => questions.ask(),
          profile: () => worker.postMessage({ type: 'profile' } satisfies PartCommand),
          stop,
        });
      }
    });
    worker.on('error', (error) => die(messageOf(error)));
    worker.on('exit', () => {
      next.cancel();
      if (!ready) reject(new TerminalError(reason, 'PartFailed'));
      else if (!stopping) options.onDeath(reason);
    });
  });
}

function setTimeoutOf(delayMs: number, run: () => void): () => void {
  const timer = systemClock.after(delayMs, run);
  return () => timer.cancel();
}
