import { Worker } from 'node:worker_threads';
import { type Clock, systemClock, type Timer } from '@/lib/clock/clock';
import { messageOf, TransientError } from '@/lib/errors/errors';
import { limits } from '@/lib/limits/limits';
import type { Log } from '@/server/log/log';
import { renderBatch } from './render-batch';
import type { RenderBatch, RenderCommand, RenderMessage, RenderResult } from './render-worker-protocol';

const MAX_WAITING = 1_000;
/** Enough for any budget of a rendering; more is a fault of the template. */
const MEMORY_LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

export interface RenderWorkerOptions {
  readonly log: Pick<Log, 'warn'>;
  /** The thread's file; beside the bundle by default. */
  readonly entry?: URL;
  readonly clock?: Clock;
  readonly wallMs?: number;
}

interface Job {
  readonly batch: RenderBatch;
  readonly progress: Int32Array;
  readonly resolve: (results: readonly RenderResult[]) => void;
}

/**
 * A thread of its own that renders the templates of packages, one batch at a time in the order asked.
 *
 * States: no thread → (first batch) thread idle → (batch) busy → (done) idle. A batch that takes longer than `wallMs`
 * from its start, or too much memory, ends the thread; its templates fail with the line that was at work, and the next
 * batch gets a new thread. Where threads cannot start at all, batches are rendered in this thread within the budget of
 * steps alone, and the log says so once.
 */
export class RenderWorker {
  private thread: Worker | undefined;
  private readonly waiting: Job[] = [];
  private current: Job | undefined;
  private timer: Timer | undefined;
  private everStarted = false;
  private threadless = false;
  private closed = false;

  constructor(private readonly options: RenderWorkerOptions) {}

  /**
   * Renders a batch.
   * @param progress two cells that tell how far it is: index of the template, byte offset of the function at work
   * @throws TransientError when too many wait, or after {@link close}
   */
  render(
    batch: RenderBatch,
    progress: Int32Array = new Int32Array(new SharedArrayBuffer(8)),
  ): Promise<readonly RenderResult[]> {
    if (this.closed || this.waiting.length >= MAX_WAITING) {
      return Promise.reject(new TransientError('Too many renderings wait; try again later.', 'RenderQueueFull'));
    }
    return new Promise((resolve) => {
      this.waiting.push({ batch, progress, resolve });
      this.next();
    });
  }

  /** Ends the thread; batches that wait or run fail. */
  async close(): Promise<void> {
    this.closed = true;
    const jobs = [...(this.current === undefined ? [] : [this.current]), ...this.waiting.splice(0)];
    this.current = undefined;
    this.timer?.cancel();
    for (const job of jobs) job.resolve(job.batch.templates.map((_, index) => failed(job, index, 'was ended')));
    await this.thread?.terminate();
    this.thread = undefined;
  }

  private next(): void {
    if (this.current !== undefined) return;
    const job = this.waiting.shift();
    if (job === undefined) return;
    if (this.threadless) {
      job.resolve(renderBatch(job.batch, job.progress));
      this.next();
      return;
    }
    this.current = job;
    this.thread ??= this.start();
    const command: RenderCommand = { batch: job.batch, progress: job.progress.buffer as SharedArrayBuffer };
    this.thread.postMessage(command);
  }

  private start(): Worker {
    const entry = this.options.entry ?? new URL('./render-worker.mjs', import.meta.url);
    const thread = new Worker(entry, { execArgv: [], resourceLimits: MEMORY_LIMITS });
    // An idle thread does not keep the process alive.
    thread.unref();
    thread.on('message', (message: RenderMessage) => {
      if (thread !== this.thread) return;
      if (message.type === 'started') this.onStarted();
      else this.finish(message.results);
    });
    thread.on('error', (error) => {
      if (thread === this.thread) this.onError(error);
    });
    return thread;
  }

  private onStarted(): void {
    this.everStarted = true;
    const wallMs = this.options.wallMs ?? limits.templateWallMs;
    const clock = this.options.clock ?? systemClock;
    this.timer = clock.after(wallMs, () => this.abandon(`took longer than ${wallMs} ms`));
  }

  private onError(error: Error): void {
    if (!this.everStarted) {
      this.options.log.warn('render.threadless', { reason: messageOf(error) });
      this.threadless = true;
      this.thread = undefined;
      const job = this.current;
      this.current = undefined;
      if (job !== undefined) this.waiting.unshift(job);
      this.next();
      return;
    }
    this.abandon(
      'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? `took more than ${MEMORY_LIMITS.maxOldGenerationSizeMb} MB of memory`
        : `ended its thread: ${messageOf(error)}`,
    );
  }

  /** Ends the thread with the batch that it works on. */
  private abandon(why: string): void {
    const thread = this.thread;
    this.thread = undefined;
    void thread?.terminate();
    const job = this.current;
    if (job !== undefined) this.finish(job.batch.templates.map((_, index) => failed(job, index, why)));
  }

  private finish(results: readonly RenderResult[]): void {
    this.timer?.cancel();
    this.timer = undefined;
    const job = this.current;
    this.current = undefined;
    job?.resolve(results);
    this.next();
  }
}

/** The failure of a template of a batch that was given up: at the line that was at work. */
function failed(job: Job, index: number, why: string): RenderResult {
  const [at = 0, offset = 0] = job.progress;
  const { name, text } = job.batch.templates[index] ?? { name: '', text: '' };
  const culprit = job.batch.templates[at]?.name ?? name;
  const before = index === at ? Buffer.from(text).subarray(0, offset).toString('latin1') : '';
  const line = before.split('\n').length;
  const column = before.length - before.lastIndexOf('\n') - 1;
  const what = index === at ? why : `was not rendered, since ${culprit} ${why}`;
  return {
    error: {
      failure: 'budget',
      place: { template: name, line, column },
      message: `template: ${name}:${line}:${column}: ${what}`,
    },
  };
}
