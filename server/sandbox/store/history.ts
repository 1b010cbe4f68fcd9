import { countBefore, type StoredObject } from './collection';

export type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** One write to one resource. */
export interface StoreEvent {
  readonly type: ChangeType;
  readonly resource: string;
  readonly key: string;
  readonly revision: number;
  /** The new state; for DELETED the last state with the revision of the deletion. */
  readonly stored: StoredObject;
  /** The state before; absent for ADDED. */
  readonly previous: StoredObject | undefined;
}

const MAX_EVENTS = 10_000;
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * The past events of one resource, oldest first, for watches that start from a revision and for lists at one. What is
 * older than the window is forgotten: `since` says so by undefined (410 Expired for the client).
 */
export class ObjectHistory {
  private events: StoreEvent[] = [];
  private bytes = 0;

  /** @param completeAfter every change after this revision is in the window */
  constructor(private completeAfter: number) {}

  push(event: StoreEvent): void {
    this.events.push(event);
    this.bytes += event.stored.json.length;
    if (this.events.length > 2 * MAX_EVENTS || this.bytes > 2 * MAX_BYTES) this.shrink();
  }

  /** The events after a revision, or undefined when some of them are forgotten. */
  since(revision: number): readonly StoreEvent[] | undefined {
    if (revision < this.completeAfter) return undefined;
    return this.events.slice(this.firstAfter(revision));
  }

  /** Forgets everything up to a revision. */
  compact(revision: number): void {
    this.drop(this.firstAfter(revision));
    this.completeAfter = Math.max(this.completeAfter, revision);
  }

  private shrink(): void {
    let count = 0;
    for (let { bytes } = this; this.events.length - count > MAX_EVENTS || bytes > MAX_BYTES; count++) {
      bytes -= this.events[count]?.stored.json.length ?? 0;
    }
    this.drop(count);
  }

  private drop(count: number): void {
    const dropped = this.events.slice(0, count);
    for (const event of dropped) this.bytes -= event.stored.json.length;
    this.events = this.events.slice(count);
    this.completeAfter = dropped.at(-1)?.revision ?? this.completeAfter;
  }

  private firstAfter(revision: number): number {
    return countBefore(this.events, (event) => event.revision <= revision);
  }
}
