import type { Timer } from '@/lib/clock/clock';
import { BravoError, ConflictError, messageOf, TransientError } from '@/lib/errors/errors';
import { backoffMs } from '@/server/kube/backoff';
import { WorkQueue } from './queue';
import type { ReconcilerDeps } from './reconciler-deps';

const RETRY = { floorMs: 1_000, ceilingMs: 60_000 } as const;
/** Objects of a kind that are looked at at once. */
const CONCURRENCY = 4;
/** A machine that slept, or whose clock was set, rings no timer for it. */
const LOOK_AT_CLOCK_MS = 60_000;

/** When to look at an object again, whichever comes first. */
export interface Wake {
  /** Wall milliseconds; undefined when only an edit changes anything. */
  readonly atMs: number | undefined;
  /** `namespace/name` of Instances: any change of one of them. */
  readonly instances?: readonly string[];
}

/** A kind whose objects the controller looks at when they change, at moments that they name, and when Instances change. */
export interface TimedKind {
  /** In log events: `schedule`. */
  readonly word: string;
  /** Keys (`namespace/name`) of all known objects. */
  keys(deps: ReconcilerDeps): readonly string[];
  /** The name that says, with the namespace, to which shard an object belongs. */
  owner(deps: ReconcilerDeps, key: string): string;
  /** Looks at one object and does the next thing. Safe to be called at any time, any number of times, after any crash. */
  reconcile(deps: ReconcilerDeps, key: string): Promise<Wake>;
}

/** Reconciles the objects of one kind while this controller leads: one timer for the earliest moment of all of them. */
export class TimedReconciler {
  private term: Term | undefined;

  constructor(private readonly kind: TimedKind) {}

  /** @param deps of the leader term that begins */
  start(deps: ReconcilerDeps): void {
    this.stop().catch(() => undefined);
    this.term = new Term(this.kind, deps);
  }

  /** Resolves when nothing is under way. */
  async stop(): Promise<void> {
    const { term } = this;
    this.term = undefined;
    await term?.stop();
  }

  /** @param key `namespace/name` of an object that was created, edited or deleted */
  changed(key: string): void {
    this.term?.look(key);
  }

  /** @param key `namespace/name` of an Instance, for objects that wait for it */
  instanceChanged(key: string): void {
    this.term?.instanceChanged(key);
  }
}

class Term {
  private readonly queue: WorkQueue;
  /** Wall milliseconds by key. */
  private readonly dueMs = new Map<string, number>();
  /** Keys of objects by the key of the Instance that they wait for. */
  private readonly waiting = new Map<string, Set<string>>();
  private readonly failures = new Map<string, number>();
  private timer: { readonly dueMs: number; readonly timer: Timer } | undefined;
  private isOver = false;

  constructor(
    private readonly kind: TimedKind,
    private readonly deps: ReconcilerDeps,
  ) {
    this.queue = new WorkQueue({ clock: deps.clock, concurrency: CONCURRENCY, run: (key) => this.run(key) });
    for (const key of kind.keys(deps)) this.look(key);
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

  private isOurs(key: string): boolean {
    return this.deps.owns(`${key.slice(0, key.indexOf('/'))}/${this.kind.owner(this.deps, key)}`);
  }

  async stop(): Promise<void> {
    this.isOver = true;
    this.timer?.timer.cancel();
    await this.queue.stop();
  }

  private async run(key: string): Promise<void> {
    let wake: Wake;
    try {
      wake = await this.kind.reconcile(this.deps, key);
      this.failures.delete(key);
    } catch (error) {
      wake = { atMs: this.deps.clock.now() + this.retryInMs(key, error) };
    }
    if (this.isOver) return;
    for (const instance of wake.instances ?? []) {
      this.waiting.set(instance, (this.waiting.get(instance) ?? new Set()).add(key));
    }
    if (wake.atMs !== undefined) this.wakeAt(key, wake.atMs);
  }

  private retryInMs(key: string, error: unknown): number {
    const { log, random } = this.deps;
    const { word } = this.kind;
    const count = (this.failures.get(key) ?? 0) + 1;
    this.failures.set(key, count);
    if (!(error instanceof BravoError)) log.error(`${word}.bug`, { [word]: key, problem: messageOf(error) });
    else if (!this.isOver && !(error instanceof ConflictError)) {
      log.warn(`${word}.failed`, { [word]: key, reason: error.reason, problem: error.message });
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
