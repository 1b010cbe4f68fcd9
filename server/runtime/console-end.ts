import { type Clock, sleep } from '@/lib/clock/clock';
import type { LiveHub } from '@/server/live/hub';
import type { ConsoleServer } from './http-server';

/** Running requests may take so long to end. */
const REQUESTS_WITHIN_MS = 5_000;

export interface ConsoleEndOptions {
  readonly server: Pick<ConsoleServer, 'endConnections' | 'close'>;
  readonly hub: Pick<LiveHub, 'endStreams'>;
  readonly clock: Clock;
  /** How long it still answers while it is not ready. */
  readonly noticeMs: number;
}

/**
 * The end of a console of which there may be other replicas. States: *serves* → *not ready* (answers everything; connections end with
 * their request) → *closed* (no new connections; then streams tell their browsers to come back, and running requests end).
 */
export class ConsoleEnd {
  private stopping = false;

  constructor(private readonly options: ConsoleEndOptions) {}

  /** True from the first moment on: readiness is false. */
  get isStopping(): boolean {
    return this.stopping;
  }

  /** @param isHandover other replicas take over, and have to be found first */
  async run(isHandover: boolean): Promise<void> {
    const { server, hub, clock, noticeMs } = this.options;
    this.stopping = true;
    server.endConnections();
    if (isHandover && noticeMs > 0) await sleep(clock, noticeMs);
    // First nobody connects here any more: a browser that comes back finds another replica.
    const closed = isHandover ? server.close(REQUESTS_WITHIN_MS) : server.close();
    hub.endStreams();
    await closed;
  }
}
