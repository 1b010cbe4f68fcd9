import type { NoticeOutcome, RunNotice } from '@/lib/kudo/runs/plan-run';
import type { NoticedObject } from './noticed-objects';

/** A notice of a run or a request that is to be sent. */
export interface WaitingNotice {
  readonly target: string;
  readonly entry: RunNotice;
  /** Of the object that lists it. */
  readonly uid: string;
  /** The object as it is known now; undefined when it does not exist any more. */
  find(): NoticedObject | undefined;
  /** What became of it, when that is still to be written. */
  outcome?: NoticeOutcome;
}

/** What waits, by receiver, oldest first. Of more than `limit` that wait for one receiver the oldest are dropped. */
export class NoticeQueues {
  private readonly queues = new Map<string, WaitingNotice[]>();
  private readonly ids = new Set<string>();

  constructor(private readonly limit: number) {}

  /** False when it waits already. */
  add(notice: WaitingNotice): boolean {
    const id = idOf(notice);
    if (this.ids.has(id)) return false;
    this.ids.add(id);
    const queue = this.queues.get(notice.target) ?? [];
    this.queues.set(notice.target, queue);
    queue.push(notice);
    const unsent = queue.filter(({ outcome }) => outcome === undefined);
    const [oldest] = unsent;
    if (unsent.length > this.limit && oldest !== undefined) oldest.outcome = 'Dropped';
    return true;
  }

  /** What to do next for a receiver: outcomes are written first. */
  next(target: string): WaitingNotice | undefined {
    const queue = this.queues.get(target);
    return queue?.find(({ outcome }) => outcome !== undefined) ?? queue?.[0];
  }

  remove(notice: WaitingNotice): void {
    this.ids.delete(idOf(notice));
    const rest = (this.queues.get(notice.target) ?? []).filter((each) => each !== notice);
    if (rest.length === 0) this.queues.delete(notice.target);
    else this.queues.set(notice.target, rest);
  }

  /** Receivers for which something waits. */
  targets(): string[] {
    return [...this.queues.keys()];
  }
}

function idOf({ target, entry, uid }: WaitingNotice): string {
  return JSON.stringify([target, uid, entry.result]);
}
