import type { Timer } from '@/lib/clock/clock';
import type { ObjectEvent } from '../../api';
import type { WorkloadContext, WorkloadController } from './context';
import { isStatusCode, statusCodeOf } from './failures';

/** Told of errors that are not answers of the API: bugs. Without it they are thrown where they happen. */
export type BugListener = (error: unknown, controller: string, key: string) => void;

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 60_000;
const TRIES_AT_ONCE = 5;
const SLICE_MS = 20;

/**
 * Joins controllers to the store: every change enqueues the keys that it concerns, every object that exists at the
 * start counts as a change. One queue serves all, so that work has one order; its keys are `controller|namespace/name`.
 *
 * A key that is added while it waits is done once. The work runs in a microtask after the change that rang it, all of it in
 * one go, and gives the event loop a turn when a slice took 20 ms; so a settled sandbox has no timer and no work, and with a
 * virtual clock the order is always the same.
 *
 * States of a key: absent → waiting (add) → running → absent, or → delayed (asked for, or after an error) → waiting.
 */
export class Dispatcher {
  private readonly controllers: ReadonlyMap<string, WorkloadController>;
  private readonly unwatch: () => void;
  private readonly waiting = new Set<string>();
  private readonly delayed = new Map<string, { dueMs: number; timer: Timer }>();
  private readonly failures = new Map<string, number>();
  private scheduled = false;
  private stopped = false;

  constructor(
    private readonly context: WorkloadContext,
    controllers: readonly WorkloadController[],
    private readonly onBug?: BugListener,
  ) {
    this.controllers = new Map(controllers.map((controller) => [controller.name, controller]));
    this.unwatch = context.api.watchAll((event) => this.enqueue(event, context.index.observe(event)));
    for (const { object, key } of context.index.all())
      this.enqueue({ type: 'ADDED', object, resource: key }, undefined);
  }

  /** True when nothing waits to be done now. */
  get idle(): boolean {
    return this.waiting.size === 0;
  }

  stop(): void {
    this.unwatch();
    this.stopped = true;
    this.waiting.clear();
    for (const { timer } of this.delayed.values()) timer.cancel();
  }

  private enqueue(event: ObjectEvent, before: ObjectEvent['object'] | undefined): void {
    for (const controller of this.controllers.values()) {
      try {
        for (const key of controller.keysFor(event, before)) this.add(`${controller.name}|${key}`);
      } catch (error) {
        this.report(error, controller.name, event.object.metadata.name ?? '');
      }
    }
  }

  private report(error: unknown, controller: string, key: string): void {
    if (this.onBug === undefined) throw error;
    this.onBug(error, controller, key);
  }

  private add(key: string): void {
    if (this.stopped) return;
    this.waiting.add(key);
    this.schedule();
  }

  /** Adds the key after a time; an earlier appointment of the same key stays, a later one is replaced. */
  private addAfter(key: string, delayMs: number): void {
    if (this.stopped) return;
    const dueMs = this.context.clock.monotonic() + delayMs;
    const present = this.delayed.get(key);
    if (delayMs <= 0) this.add(key);
    if (delayMs <= 0 || (present !== undefined && present.dueMs <= dueMs)) return;
    present?.timer.cancel();
    const timer = this.context.clock.after(delayMs, () => {
      this.delayed.delete(key);
      this.add(key);
    });
    this.delayed.set(key, { dueMs, timer });
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    queueMicrotask(() => this.drain());
  }

  private drain(): void {
    this.scheduled = false;
    try {
      this.drainSlice();
    } finally {
      if (this.waiting.size > 0) this.schedule();
    }
  }

  private drainSlice(): void {
    const start = this.context.clock.monotonic();
    for (const key of this.waiting) {
      this.waiting.delete(key);
      this.work(key);
      if (this.context.clock.monotonic() - start > SLICE_MS && this.waiting.size > 0) {
        this.scheduled = true;
        this.context.clock.after(0, () => this.drain());
        return;
      }
    }
  }

  private work(queued: string): void {
    const [controller, key] = splitOnce(queued, '|');
    try {
      const again = this.controllers.get(controller)?.reconcile(...splitOnce(key, '/'));
      this.failures.delete(queued);
      if (again !== undefined) this.addAfter(queued, again);
    } catch (error) {
      if (statusCodeOf(error) === undefined) this.report(error, controller, key);
      this.retry(queued, isStatusCode(error, 404, 409));
    }
  }

  /** Conflicts, and what was deleted meanwhile, are tried again at once; refusals and bugs later, with back-off. */
  private retry(queued: string, atOnce: boolean): void {
    const count = (this.failures.get(queued) ?? 0) + 1;
    this.failures.set(queued, count);
    if (atOnce && count <= TRIES_AT_ONCE) this.add(queued);
    else this.addAfter(queued, Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(count - 1, 10)));
  }
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
