import { type Clock, sleep } from '@/lib/clock/clock';
import { messageOf } from '@/lib/errors/errors';
import { type Random, randomInteger } from '@/lib/random/random';
import { codeOf } from '@/server/kube/errors';
import type { Log } from '@/server/log/log';

/** How often it is seen to that the certificate is fresh and the registration as it has to be. */
const LOOK_MS = 60_000;
const LOOK_JITTER_MS = 5_000;
/** After a failure; twice as long after each further one, up to the time between two looks. */
const RETRY_MS = 5_000;
const STOP_WITHIN_MS = 1_000;

/** Runs `look` at once when rung, and once a minute; sooner after a failure. One at a time. */
export class Loop {
  leads = false;
  private readonly stopper = new AbortController();
  private bell = new AbortController();
  private finished: Promise<void> = Promise.resolve();
  private lastProblem = '';
  private failures = 0;

  constructor(
    private readonly deps: { clock: Clock; random: Random; log: Log },
    private readonly look: (leads: boolean) => Promise<void>,
  ) {}

  start(): void {
    this.finished = this.run();
  }

  ring(leads: boolean): void {
    this.leads = leads;
    this.bell.abort();
  }

  async stop(): Promise<void> {
    this.stopper.abort();
    this.bell.abort();
    // A call to an API that does not answer has a deadline of its own; nobody waits for it here.
    await Promise.race([this.finished, sleep(this.deps.clock, STOP_WITHIN_MS)]);
  }

  private async run(): Promise<void> {
    while (!this.stopper.signal.aborted) {
      this.bell = new AbortController();
      this.failures = (await this.lookOnce()) ? 0 : this.failures + 1;
      const patienceMs = this.failures === 0 ? LOOK_MS : Math.min(RETRY_MS * 2 ** (this.failures - 1), LOOK_MS);
      const waitMs = patienceMs + randomInteger(this.deps.random, LOOK_JITTER_MS);
      if (this.stopper.signal.aborted) return;
      await sleep(this.deps.clock, waitMs, this.bell.signal).catch(() => undefined);
    }
  }

  private async lookOnce(): Promise<boolean> {
    try {
      await this.look(this.leads);
      this.lastProblem = '';
      return true;
    } catch (error) {
      const problem = messageOf(error);
      if (problem !== this.lastProblem && codeOf(error) !== 409)
        this.deps.log.warn('webhook.not-registered', { problem });
      this.lastProblem = problem;
      return false;
    }
  }
}
