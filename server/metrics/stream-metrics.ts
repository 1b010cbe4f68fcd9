import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** So long after its last request a person counts as one who uses the console. */
const SESSION_MS = 15 * 60_000;
/** More sessions than these are not told apart. */
const MOST_SESSIONS = 10_000;

/** A topic that the console watches for browsers. */
export interface MeasuredTopic {
  readonly objects: number;
  readonly staleMs: number;
}

/** The metrics of the console: event streams and who reads them. */
export class StreamMetrics {
  private open = 0;
  private readonly seen = new Map<string, number>();
  private readonly lag: Histogram;
  private readonly coalesced: Counter;
  private readonly dropped: Counter;
  private topics: () => readonly MeasuredTopic[] = () => [];

  /** @param nowMs monotonic */
  constructor(
    registry: Registry,
    private readonly nowMs: () => number,
  ) {
    const registers = [registry];
    this.lag = new Histogram({
      name: 'bravo_stream_lag_seconds',
      help: 'Time from a change that the console saw to the frame that an event stream took, which includes the 50 ms in which changes are gathered.',
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
      registers,
    });
    this.coalesced = new Counter({
      name: 'bravo_stream_coalesced_total',
      help: 'Changes that were not sent to a browser because a newer one of the same object was.',
      registers,
    });
    this.dropped = new Counter({
      name: 'bravo_stream_dropped_total',
      help: 'Times that a browser came back too late for the changes that it missed, and got everything again.',
      registers,
    });
    this.addGauges(registry);
  }

  /** Gauges of topics are of these from now on. */
  watch(topics: () => readonly MeasuredTopic[]): void {
    this.topics = topics;
  }

  /** A stream begins; the result ends it, once. */
  opened(): () => void {
    this.open += 1;
    let isOpen = true;
    return () => {
      if (isOpen) this.open -= 1;
      isOpen = false;
    };
  }

  sent(lagMs: number): void {
    this.lag.observe(lagMs / 1_000);
  }

  coalescedChanges(count: number): void {
    if (count > 0) this.coalesced.inc(count);
  }

  sentAgain(): void {
    this.dropped.inc();
  }

  /** A request of a session, by whatever names it. */
  sessionSeen(id: string): void {
    if (this.seen.size >= MOST_SESSIONS && !this.seen.has(id)) this.forgetOld();
    if (this.seen.size < MOST_SESSIONS || this.seen.has(id)) this.seen.set(id, this.nowMs());
  }

  private forgetOld(): void {
    const sinceMs = this.nowMs() - SESSION_MS;
    for (const [id, atMs] of this.seen) if (atMs < sinceMs) this.seen.delete(id);
  }

  private sessions(): number {
    this.forgetOld();
    return this.seen.size;
  }

  private addGauges(registry: Registry): void {
    const add = (name: string, help: string, value: () => number) =>
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(value());
        },
      });
    add('bravo_streams', 'Event streams that are open.', () => this.open);
    add('bravo_sessions', 'Sessions with a request to this console in the last 15 minutes.', () => this.sessions());
    add('bravo_console_topics', 'Topics that the console watches for browsers.', () => this.topics().length);
    add('bravo_console_objects', 'Objects in the topics that the console watches.', () =>
      this.topics().reduce((sum, { objects }) => sum + objects, 0),
    );
    add(
      'bravo_console_stale_seconds',
      'For how long the topic of the console that has waited longest may be out of date; 0 while all watches are open.',
      () => Math.max(0, ...this.topics().map(({ staleMs }) => staleMs)) / 1_000,
    );
  }
}
