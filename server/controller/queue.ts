import type { Clock, Timer } from '@/lib/clock/clock';
import type { QueueObserver } from '@/server/metrics/queue-metrics';

/** `urgent` goes first: edits of existing Instances; `normal`: new Instances and routine reconciles. */
export type Lane = 'urgent' | 'normal';

export interface QueueOptions {
  readonly clock: Clock;
  /** How many keys run at once. */
  readonly concurrency: number;
  /** Processes one key; must not throw. `yieldToQueue` yields to more urgent keys, between two steps. */
  run(key: string, yieldToQueue: () => Promise<void>): Promise<void>;
  readonly observer?: Omit<QueueObserver, 'retried'> | undefined;
}

/** After so many picks the normal lane goes first once, so that a stream of edits cannot starve it. */
const NORMAL_SHARE = 4;

interface KeyState {
  /** The lane in which the key waits, or will run again after the present run. */
  wanted: Lane | undefined;
  /** Monotonic: since when it waits, and since when it runs. */
  queuedAtMs: number;
  startedAtMs: number;
  running: boolean;
  timer: { dueMs: number; timer: Timer } | undefined;
}

/**
 * A fair queue of keys.
 *
 * States of a key: *absent* → *waiting* (add; adding again changes nothing but the lane) → *running* (at most once at a
 * time) → *absent*, or *waiting* again when it was added meanwhile. A key may also have one timer (addAfter) that adds it; an
 * earlier timer wins. Keys of a lane run in the order in which they were added.
 */
export class WorkQueue {
  private readonly states = new Map<string, KeyState>();
  private readonly waiting: { readonly [lane in Lane]: (() => void)[] } = { urgent: [], normal: [] };
  private free: number;
  private picks = 0;
  private stopped = false;
  private idleWaiters: (() => void)[] = [];

  constructor(private readonly options: QueueOptions) {
    this.free = options.concurrency;
  }

  /** Queues the key. */
  add(key: string, lane: Lane): void {
    if (this.stopped) return;
    const state = this.stateOf(key);
    state.timer?.timer.cancel();
    state.timer = undefined;
    if (state.wanted !== undefined) {
      if (lane === 'urgent' && state.wanted === 'normal' && !state.running) this.enqueue(key, lane);
      state.wanted = lane === 'urgent' ? lane : state.wanted;
      return;
    }
    state.wanted = lane;
    state.queuedAtMs = this.options.clock.monotonic();
    this.options.observer?.added();
    if (!state.running) this.enqueue(key, lane);
  }

  /** Queues the key after a delay, unless it runs earlier for another reason. */
  addAfter(key: string, delayMs: number, lane: Lane): void {
    if (this.stopped) return;
    const state = this.stateOf(key);
    if (state.wanted !== undefined) return;
    const dueMs = this.options.clock.monotonic() + delayMs;
    if (state.timer !== undefined) {
      if (state.timer.dueMs <= dueMs) return;
      state.timer.timer.cancel();
    }
    state.timer = { dueMs, timer: this.options.clock.after(delayMs, () => this.add(key, lane)) };
  }

  /** When the key runs next: 0 while it is queued or runs, undefined when it is not planned. */
  dueInMs(key: string): number | undefined {
    const state = this.states.get(key);
    if (state === undefined) return undefined;
    if (state.running || state.wanted !== undefined) return 0;
    return state.timer === undefined ? undefined : Math.max(0, state.timer.dueMs - this.options.clock.monotonic());
  }

  /** How many keys are queued. */
  get depth(): number {
    return this.waiting.urgent.length + this.waiting.normal.length;
  }

  /** How long each key that runs now has run, in ms. */
  runningMs(): number[] {
    const nowMs = this.options.clock.monotonic();
    return [...this.states.values()].filter(({ running }) => running).map(({ startedAtMs }) => nowMs - startedAtMs);
  }

  /** Drops the queue; resolves when no key runs any more. */
  async stop(): Promise<void> {
    this.stopped = true;
    for (const state of this.states.values()) {
      state.timer?.timer.cancel();
      state.wanted = undefined;
    }
    this.waiting.normal.length = 0;
    this.waiting.urgent.length = 0;
    if (this.free === this.options.concurrency) return;
    await new Promise<void>((resolve) => this.idleWaiters.push(resolve));
  }

  private stateOf(key: string): KeyState {
    let state = this.states.get(key);
    if (state === undefined) {
      state = { wanted: undefined, queuedAtMs: 0, startedAtMs: 0, running: false, timer: undefined };
      this.states.set(key, state);
    }
    return state;
  }

  private enqueue(key: string, lane: Lane): void {
    this.waiting[lane].push(() => void this.work(key, lane));
    this.pump();
  }

  private pump(): void {
    while (this.free > 0) {
      const next = this.pick();
      if (next === undefined) return;
      this.free -= 1;
      next();
    }
  }

  private pick(): (() => void) | undefined {
    const { urgent, normal } = this.waiting;
    this.picks += 1;
    const normalFirst = this.picks % NORMAL_SHARE === 0;
    return normalFirst ? (normal.shift() ?? urgent.shift()) : (urgent.shift() ?? normal.shift());
  }

  private async work(key: string, lane: Lane): Promise<void> {
    const state = this.states.get(key);
    // A key that moved to the urgent lane left an old entry in the normal one.
    if (state === undefined || state.running || state.wanted === undefined) {
      this.release();
      return;
    }
    state.running = true;
    state.wanted = undefined;
    const { clock, observer } = this.options;
    state.startedAtMs = clock.monotonic();
    observer?.started(state.startedAtMs - state.queuedAtMs);
    try {
      await this.options.run(key, () => this.yieldToQueue(lane));
    } finally {
      state.running = false;
      observer?.finished(clock.monotonic() - state.startedAtMs);
      this.finish(key, state);
    }
  }

  private finish(key: string, state: KeyState): void {
    const again = state.wanted;
    if (again !== undefined && !this.stopped) this.enqueue(key, again);
    else if (state.timer === undefined) this.states.delete(key);
    this.release();
  }

  private release(): void {
    this.free += 1;
    this.pump();
    if (this.free === this.options.concurrency) {
      for (const resolve of this.idleWaiters.splice(0)) resolve();
    }
  }

  private async yieldToQueue(lane: Lane): Promise<void> {
    if (lane === 'urgent' || this.waiting.urgent.length === 0 || this.stopped) return;
    await new Promise<void>((resolve) => {
      this.waiting.normal.unshift(resolve);
      this.free += 1;
      this.pump();
    });
  }
}
