import { createHash } from 'node:crypto';
import { type Clock, formatTime, type Timer } from '@/lib/clock/clock';
import { messageOf } from '@/lib/errors/errors';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { RECONCILE_ID_ANNOTATION } from '@/lib/kudo/names';
import { type Random, randomInteger } from '@/lib/random/random';
import type { Api, Target } from '@/server/kube/api';
import { codeOf, isNamespaceTerminating } from '@/server/kube/errors';
import type { Log } from '@/server/log/log';

export type EventType = 'Normal' | 'Warning';

interface EventToSend {
  readonly type: EventType;
  readonly reason: string;
  readonly message: string;
  readonly nowMs: number;
  /** Of an event that exists once: see `recordOnce`. */
  readonly identity?: string;
  readonly reconcileId?: string | undefined;
}

/** What records events. */
export type Events = Pick<EventRecorder, 'record' | 'recordOnce'>;

interface Sent {
  readonly name: string;
  count: number;
  lastMs: number;
}

/** The same event within this time increases a count instead of creating another event. */
const SAME_EVENT_MS = 10 * 60_000;
const MAX_REMEMBERED = 2_000;
const MAX_MESSAGE_CHARS = 1024;

/** The writes that an event announces go first: they must not come later because of it. */
const GIVE_WAY_MS = 20;

/**
 * core/v1 Events on Instances, source `instance-controller` as in KUDO. Sending never delays a plan and never fails one: an event
 * that cannot be sent is logged, except in a namespace that is being deleted. `settle` sends what waits and resolves when
 * nothing is under way.
 */
export class EventRecorder {
  private readonly sent = new Map<string, Sent>();
  private waiting: (() => Promise<void>)[] = [];
  private sending: Promise<void> = Promise.resolve();
  private timer: Timer | undefined;

  constructor(private readonly deps: { api: Api; clock: Clock; random: Random; log: Log }) {}

  record(object: KubeObject, type: EventType, reason: string, message: string): void {
    this.wait(object, { type, reason, message });
  }

  /** Records with the ID of a reconcile in an annotation, so that its log lines are found from the event. */
  during(reconcileId: string): Events {
    return {
      record: (object, type, reason, message) => this.wait(object, { type, reason, message, reconcileId }),
      recordOnce: (object, identity, event) => this.wait(object, { ...event, identity, reconcileId }),
    };
  }

  /**
   * An event that exists once, whoever sends it and however often: its name comes from its identity.
   *
   * @param identity any text; within an object no two events that differ share one
   */
  recordOnce(object: KubeObject, identity: string, event: Pick<EventToSend, 'type' | 'reason' | 'message'>): void {
    this.wait(object, { ...event, identity });
  }

  private wait(object: KubeObject, event: Omit<EventToSend, 'nowMs'>): void {
    const sent = { ...event, message: event.message.slice(0, MAX_MESSAGE_CHARS), nowMs: this.deps.clock.now() };
    this.waiting.push(() => this.send(object, sent));
    this.timer ??= this.deps.clock.after(GIVE_WAY_MS, () => this.sendWaiting());
  }

  settle(): Promise<void> {
    this.timer?.cancel();
    this.sendWaiting();
    return this.sending;
  }

  /** One after the other: counts stay right, and a burst of events opens no burst of connections. */
  private sendWaiting(): void {
    const due = this.waiting;
    this.waiting = [];
    this.timer = undefined;
    this.sending = due.reduce((before, send) => before.then(send), this.sending);
  }

  private async send(object: KubeObject, event: EventToSend): Promise<void> {
    const { type, reason, message, nowMs } = event;
    const key = [object.metadata.uid, type, reason, message].join('\n');
    const known = this.sent.get(key);
    const isRepeated =
      known !== undefined &&
      nowMs - known.lastMs < SAME_EVENT_MS &&
      reason !== 'PlanStarted' &&
      event.identity === undefined;
    try {
      if (!isRepeated || !(await this.countUp(object, known, event))) await this.create(object, { ...event, key });
    } catch (error) {
      if (event.identity !== undefined && codeOf(error) === 409) return;
      // Nobody reads the events of a terminating namespace; 404 means that it was deleted.
      if (isNamespaceTerminating(error) || codeOf(error) === 404) return;
      this.deps.log.warn('event.not-sent', { reason, instance: nameOf(object), problem: messageOf(error) });
    }
  }

  /** False when somebody deleted the event meanwhile. */
  private async countUp(object: KubeObject, known: Sent, { nowMs, reconcileId }: EventToSend): Promise<boolean> {
    known.count += 1;
    known.lastMs = nowMs;
    const target = { ...EVENTS, namespace: namespaceOf(object), name: known.name };
    try {
      const counted = { count: known.count, lastTimestamp: formatTime(nowMs) };
      const metadata = reconcileId === undefined ? {} : { metadata: { annotations: annotationsOf(reconcileId) } };
      await this.deps.api.patch(target, 'merge', { ...counted, ...metadata });
      return true;
    } catch (error) {
      if (codeOf(error) !== 404) throw error;
      return false;
    }
  }

  private async create(object: KubeObject, event: EventToSend & { key: string }): Promise<void> {
    const name = `${nameOf(object).slice(0, 230)}.${this.suffixOf(event)}`;
    const namespace = namespaceOf(object);
    const time = formatTime(event.nowMs);
    const marks = event.reconcileId === undefined ? {} : { annotations: annotationsOf(event.reconcileId) };
    await this.deps.api.create(
      { ...EVENTS, namespace },
      {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name, namespace, ...marks },
        involvedObject: {
          apiVersion: object.apiVersion,
          kind: object.kind,
          namespace,
          name: nameOf(object),
          uid: object.metadata.uid ?? '',
          resourceVersion: object.metadata.resourceVersion ?? '',
        },
        reason: event.reason,
        message: event.message,
        type: event.type,
        source: { component: 'instance-controller' },
        reportingComponent: 'instance-controller',
        firstTimestamp: time,
        lastTimestamp: time,
        count: 1,
      },
    );
    if (this.sent.size >= MAX_REMEMBERED) this.sent.delete(this.sent.keys().next().value ?? '');
    this.sent.set(event.key, { name, count: 1, lastMs: event.nowMs });
  }

  private suffixOf({ identity, nowMs }: EventToSend): string {
    if (identity !== undefined) return createHash('sha256').update(identity).digest('hex').slice(0, 16);
    return `${nowMs.toString(16)}${randomInteger(this.deps.random, 0xffff_ffff).toString(16).padStart(8, '0')}`;
  }
}

function annotationsOf(reconcileId: string): { [name: string]: string } {
  return { [RECONCILE_ID_ANNOTATION]: reconcileId };
}

const EVENTS: Target = { group: '', version: 'v1', resource: 'events' };
