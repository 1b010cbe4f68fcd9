import type { Clock, Timer } from '@/lib/clock/clock';

/** Who comes back within this time finds what it needed still there: a plan that runs, an operator installed anew. */
export const UNUSED_MS = 300_000;

/**
 * What several need together and nobody owns. A thing is *needed* while at least one asks for it, *unused* from the moment when
 * the last one does not, and ended when it was unused for five minutes in a row; who asks before that keeps it.
 */
export class KeptWhileNeeded {
  private readonly thingsByUser = new Map<string, readonly string[]>();
  private readonly users = new Map<string, number>();
  private readonly unused = new Map<string, Timer>();

  /** @param end called once for each thing that nobody needs any more */
  constructor(
    private readonly clock: Clock,
    private readonly end: (thing: string) => void,
  ) {}

  /** From now on the user needs these and nothing else. */
  needs(user: string, things: Iterable<string>): void {
    const before = this.thingsByUser.get(user) ?? [];
    const now = [...new Set(things)];
    // The new ones first: what is needed before and after is never unused between.
    for (const thing of now) this.take(thing);
    for (const thing of before) this.leave(thing);
    if (now.length === 0) this.thingsByUser.delete(user);
    else this.thingsByUser.set(user, now);
  }

  /** Nobody needs anything any more. */
  clear(): void {
    for (const user of [...this.thingsByUser.keys()]) this.needs(user, []);
  }

  /** No timer is left, and nothing is ended by this. */
  stop(): void {
    for (const timer of this.unused.values()) timer.cancel();
    this.unused.clear();
  }

  private take(thing: string): void {
    this.users.set(thing, (this.users.get(thing) ?? 0) + 1);
    this.unused.get(thing)?.cancel();
    this.unused.delete(thing);
  }

  private leave(thing: string): void {
    const rest = (this.users.get(thing) ?? 1) - 1;
    if (rest > 0) {
      this.users.set(thing, rest);
      return;
    }
    this.users.delete(thing);
    const end = () => {
      this.unused.delete(thing);
      this.end(thing);
    };
    this.unused.set(thing, this.clock.after(UNUSED_MS, end));
  }
}
