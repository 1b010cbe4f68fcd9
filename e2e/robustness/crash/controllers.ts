import { join } from 'node:path';
import { projectRoot, type Running, startProgram } from '@/test/programs/process';
import { cachedProgram } from './cached-program';

/** For a busy machine; only a failure waits for so long. */
const PATIENCE_MS = 300_000;
const MOST_STARTS = 5;

/**
 * Controllers as processes, one acting at a time, and the next one already loaded: it has read its code and waits for a line on stdin
 * before it does anything else, so that a restart takes the time of the controller and not the time in which Node starts.
 */
export class Controllers {
  private current: Running | undefined;
  private next: Promise<Running> | undefined;

  private constructor(
    private readonly code: string,
    private readonly startedAhead: boolean,
    private readonly webhook: boolean,
  ) {}

  static async make(
    args: readonly string[],
    options: { ahead?: boolean; webhook?: boolean } = {},
  ): Promise<Controllers> {
    const { ensureServerBundle } = await import(join(projectRoot, 'scripts/bundle.mjs'));
    return new Controllers(
      await cachedProgram(await ensureServerBundle(), ['controller', ...args]),
      options.ahead ?? true,
      options.webhook ?? true,
    );
  }

  /** The acting process; throws when there is none. */
  get acting(): Running {
    if (this.current === undefined) throw new Error('no controller runs');
    return this.current;
  }

  /** Starts one and resolves when it holds the lease. One that cannot reach its cluster exits, and is started again as in a pod. */
  async start(): Promise<Running> {
    const running = await this.startOne();
    if (!this.startedAhead) return running;
    this.next = this.load();
    this.next.catch(() => undefined);
    return running;
  }

  private async startOne(): Promise<Running> {
    for (let starts = 1; ; starts++) {
      const ahead = this.next;
      this.next = undefined;
      const running = (await ahead?.catch(() => undefined)) ?? (await this.load());
      this.current = running;
      running.child.stdin?.end('go\n');
      try {
        await running.printed('lease.held', PATIENCE_MS);
        return running;
      } catch (error) {
        if (running.child.exitCode === null || starts === MOST_STARTS) throw error;
      }
    }
  }

  /** Starts one and resolves when the API server calls its webhook too: from then on it works as usual. */
  async startWhole(): Promise<void> {
    const running = await this.start();
    if (this.webhook) await running.printed('webhook.registered', PATIENCE_MS);
  }

  /** SIGKILL, at once. */
  kill(): void {
    this.current?.child.kill('SIGKILL');
  }

  /** Starts a second one that waits for the lease; `kill` does not kill it. */
  async startBeside(): Promise<Running> {
    const running = await this.load();
    running.child.stdin?.end('go\n');
    await running.printed('controller.started', PATIENCE_MS);
    return running;
  }

  async stop(): Promise<void> {
    const rest = await this.next?.catch(() => undefined);
    for (const running of [this.current, rest]) {
      running?.child.kill('SIGKILL');
      await running?.exited();
    }
  }

  private async load(): Promise<Running> {
    // Usage counts time, which a crash changes.
    const settings: { [name: string]: string } = {
      BRAVO_USAGE: 'off',
      ...(this.webhook ? {} : { BRAVO_WEBHOOK: 'off' }),
    };
    const running = startProgram(process.execPath, ['-e', this.code], settings, 'pipe');
    await running.printed('loaded', PATIENCE_MS);
    return running;
  }
}
