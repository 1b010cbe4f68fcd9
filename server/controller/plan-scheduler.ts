import type { Timer } from '@/lib/clock/clock';
import { BravoError, ConflictError, messageOf, TransientError } from '@/lib/errors/errors';
import { backoffMs } from '@/server/kube/backoff';
import { WorkQueue } from './queue';
import type { ReconcilerDeps } from './reconciler-deps';
import { reconcileSchedule, type Wake } from './run-schedule';

const RETRY = { floorMs: 1_000, ceilingMs: 60_000 } as const;
/** Schedules that are looked at at once. */
const CONCURRENCY = 4;
/** A machine that slept, or whose clock was set, rings no timer for it. */
const LOOK_AT_CLOCK_MS = 60_000;

/** Starts the plans of schedules while this controller leads: one timer for the earliest moment of all of them. */
export class PlanScheduler {
  private term: ScheduleTerm | undefined;

  /** @param deps of the leader term that begins */
  start(deps: ReconcilerDeps): void {
    this.stop().catch(() => undefined);
    this.term = new ScheduleTerm(deps);
  }

  /** Resolves when nothing is under way. */
  async stop(): Promise<void> {
    const { term } = this;
    this.term = undefined;
    await term?.stop();
  }

  /** @param key `namespace/name` of a PlanSchedule that was created, edited or deleted */
  scheduleChanged(key: string): void {
    this.term?.look(key);
  }

  /** @param key `namespace/name` of an Instance, for schedules that wait for it */
  instanceChanged(key: string): void {
    this.term?.instanceChanged(key);
  }
}

class ScheduleTerm {
  private readonly queue: WorkQueue;
  /** Wall milliseconds by key. */
  private readonly dueMs = new Map<string, number>();
  /** Keys of schedules by the key of the Instance that they wait for. */
  private readonly waiting = new Map<string, Set<string>>();
  private readonly failures = new Map<string, number>();
  private timer: { readonly dueMs: number; readonly timer: Timer } | undefined;
  private isOver = false;

  constructor(private readonly deps: ReconcilerDeps) {
    this.queue = new WorkQueue({ clock: deps.clock, concurrency: CONCURRENCY, run: (key) => this.run(key) });
    for (const key of deps.planSchedules.keys()) this.look(key);
  }

  look(key: string): void {
    this.dueMs.delete(key);
    if (!this.isOurs(key)) return;
    this.queue.add(key, 'normal');
  }

  instanceChanged(key: string): void {
    const keys = this.waiting.get(key);
    this.waiting.delete(key);
    for (const each of keys ?? []) this.look(each);
  }

  /** A schedule belongs to the shard of its Instance. */
  private isOurs(key: string): boolean {
    const schedule = this.deps.planSchedules.get(key);
    return this.deps.owns(`${key.slice(0, key.indexOf('/'))}/${schedule?.spec?.instanceName ?? ''}`);
  }

  async stop(): Promise<void> {
    this.isOver = true;
    this.timer?.timer.cancel();
    await this.queue.stop();
  }

  private async run(key: string): Promise<void> {
    let wake: Wake;
    try {
      wake = await reconcileSchedule(this.deps, key);
      this.failures.delete(key);
    } catch (error) {
      wake = { atMs: this.deps.clock.now() + this.retryInMs(key, error) };
    }
    if (this.isOver) return;
    if (wake.instance !== undefined) {
      this.waiting.set(wake.instance, (this.waiting.get(wake.instance) ?? new Set()).add(key));
    }
    if (wake.atMs !== undefined) this.wakeAt(key, wake.atMs);
  }

  private retryInMs(key: string, error: unknown): number {
    const { log, random } = this.deps;
    const count = (this.failures.get(key) ?? 0) + 1;
    this.failures.set(key, count);
    if (!(error instanceof BravoError)) log.error('schedule.bug', { schedule: key, problem: messageOf(error) });
    else if (!this.isOver && !(error instanceof ConflictError)) {
      log.warn('schedule.failed', { schedule: key, reason: error.reason, problem: error.message });
    }
    const asked = error instanceof TransientError ? (error.retryAfterMs ?? 0) : 0;
    return Math.max(asked, backoffMs(count, RETRY, random));
  }

  private wakeAt(key: string, dueMs: number): void {
    this.dueMs.set(key, dueMs);
    if (this.timer === undefined || dueMs < this.timer.dueMs) this.setTimer(dueMs);
  }

  private setTimer(dueMs: number): void {
    const { clock } = this.deps;
    this.timer?.timer.cancel();
    const delayMs = Math.min(Math.max(0, dueMs - clock.now()), LOOK_AT_CLOCK_MS);
    this.timer = { dueMs, timer: clock.after(delayMs, () => this.ring()) };
  }

  private ring(): void {
    this.timer = undefined;
    const nowMs = this.deps.clock.now();
    let earliest = Number.POSITIVE_INFINITY;
    for (const [key, dueMs] of this.dueMs) {
      if (dueMs <= nowMs) this.look(key);
      else earliest = Math.min(earliest, dueMs);
    }
    if (earliest < Number.POSITIVE_INFINITY) this.setTimer(earliest);
  }
}
