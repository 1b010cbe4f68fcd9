import { type Clock, formatTime } from '@/lib/clock/clock';
import { messageOf } from '@/lib/errors/errors';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { type Random, randomInteger } from '@/lib/random/random';
import type { Api, Target } from '@/server/kube/api';
import type { Log } from '@/server/log/log';

export type EventType = 'Normal' | 'Warning';

interface Sent {
  readonly name: string;
  count: number;
  lastMs: number;
}

/** The same event within this time is counted up instead of written anew. */
const SAME_EVENT_MS = 10 * 60_000;
const MAX_REMEMBERED = 2_000;
const MAX_MESSAGE_CHARS = 1024;

/**
 * core/v1 Events on Instances, source `instance-controller` as in KUDO (engine 3.8). Sending never delays a plan and never
 * fails one: what cannot be sent is logged. `settled` resolves when nothing is under way.
 */
export class EventRecorder {
  private readonly sent = new Map<string, Sent>();
  private tail: Promise<void> = Promise.resolve();

  constructor(private readonly deps: { api: Api; clock: Clock; random: Random; log: Log }) {}

  record(object: KubeObject, type: EventType, reason: string, message: string): void {
    // One after the other, so that the count of an event is right and a burst opens no burst of connections.
    this.tail = this.tail.then(() => this.send(object, type, reason, message));
  }

  get settled(): Promise<void> {
    return this.tail;
  }

  private async send(object: KubeObject, type: EventType, reason: string, text: string): Promise<void> {
    const message = text.slice(0, MAX_MESSAGE_CHARS);
    const key = [object.metadata.uid, type, reason, message].join('\n');
    const nowMs = this.deps.clock.now();
    const known = this.sent.get(key);
    try {
      if (
        known !== undefined &&
        nowMs - known.lastMs < SAME_EVENT_MS &&
        reason !== 'PlanStarted' &&
        reason !== 'PlanFinished'
      ) {
        await this.countUp(object, known, nowMs);
      } else {
        await this.create(object, { type, reason, message, key, nowMs });
      }
    } catch (error) {
      this.deps.log.warn('event.not-sent', { reason, instance: nameOf(object), problem: messageOf(error) });
    }
  }

  private async countUp(object: KubeObject, known: Sent, nowMs: number): Promise<void> {
    known.count += 1;
    known.lastMs = nowMs;
    const target = { ...EVENTS, namespace: namespaceOf(object), name: known.name };
    await this.deps.api.patch(target, 'merge', { count: known.count, lastTimestamp: formatTime(nowMs) });
  }

  private async create(
    object: KubeObject,
    event: { type: EventType; reason: string; message: string; key: string; nowMs: number },
  ): Promise<void> {
    const suffix = randomInteger(this.deps.random, 0xffff_ffff).toString(16).padStart(8, '0');
    const name = `${nameOf(object).slice(0, 230)}.${event.nowMs.toString(16)}${suffix}`;
    const namespace = namespaceOf(object);
    const time = formatTime(event.nowMs);
    await this.deps.api.create(
      { ...EVENTS, namespace },
      {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name, namespace },
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
}

const EVENTS: Target = { group: '', version: 'v1', resource: 'events' };
