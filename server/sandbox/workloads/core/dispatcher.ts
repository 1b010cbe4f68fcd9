import type { ObjectEvent } from '../../api';
import type { Controller, WorkloadContext } from './context';
import { statusCodeOf } from './failures';
import { ControllerQueue, type Failure } from './work-queue';

/** Told of errors that are not answers of the API: bugs. Without it they are thrown where they happen. */
export type BugListener = (error: unknown, controller: string, key: string) => void;

/**
 * Joins controllers to the store: every change enqueues the keys that it concerns, every object that exists at the
 * start counts as a change. One queue serves all, so that work has one order.
 */
export class Dispatcher {
  private readonly queue: ControllerQueue;
  private readonly controllers = new Map<string, Controller>();
  private readonly unwatch: () => void;

  constructor(
    private readonly context: WorkloadContext,
    controllers: readonly Controller[],
    private readonly onBug?: BugListener,
  ) {
    for (const controller of controllers) this.controllers.set(controller.name, controller);
    this.queue = new ControllerQueue({
      clock: context.clock,
      work: (key) => this.work(key),
      onError: (error, key) => this.failed(error, key),
    });
    this.unwatch = context.api.watchAll((event) => this.enqueue(event));
    for (const { object, key } of context.index.all())
      this.ringAll({ type: 'ADDED', object, resource: key }, undefined);
  }

  get idle(): boolean {
    return this.queue.idle;
  }

  /** Rings one key of one controller from outside the store (a container has ended, a timer is due). */
  enqueueKey(controller: string, key: string): void {
    this.queue.add(`${controller}|${key}`);
  }

  stop(): void {
    this.unwatch();
    this.queue.stop();
  }

  private enqueue(event: ObjectEvent): void {
    const before = this.context.index.observe(event);
    this.ringAll(event, before);
  }

  private ringAll(event: ObjectEvent, before: ObjectEvent['object'] | undefined): void {
    for (const controller of this.controllers.values()) {
      try {
        for (const key of controller.keysFor(event, before)) this.queue.add(`${controller.name}|${key}`);
      } catch (error) {
        if (this.onBug === undefined) throw error;
        this.onBug(error, controller.name, event.object.metadata.name ?? '');
      }
    }
  }

  private work(queued: string): number | undefined {
    const [name, key] = splitOnce(queued, '|');
    const [namespace, object] = splitOnce(key, '/');
    return this.controllers.get(name)?.reconcile(namespace, object);
  }

  /** Conflicts are tried again at once, refusals later; whoever was deleted meanwhile needs nothing more. */
  private failed(error: unknown, queued: string): Failure {
    const code = statusCodeOf(error);
    if (code === 409) return 'again';
    if (code !== undefined) return code === 404 ? 'again' : 'later';
    const [name, key] = splitOnce(queued, '|');
    if (this.onBug === undefined) throw error;
    this.onBug(error, name, key);
    return 'later';
  }
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
