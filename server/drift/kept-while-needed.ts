import type { Clock, Timer } from '@/lib/clock/clock';

/** A user that comes back within this time finds what it needed: a plan that runs, an operator that is reinstalled. */
export const UNUSED_MS = 300_000;

/**
 * Things that several users share. A thing is *needed* while at least one user asks for it, *unused* when the last one stops, and
 * ended after five unused minutes in a row.
 */
export class KeptWhileNeeded {
  private readonly thingsByUser = new Map<string, readonly string[]>();
  private readonly users = new Map<string, number>();
  private readonly unused = new Map<string, Timer>();

  /** @param end called once for each thing that no user needs any more */
  constructor(
    private readonly clock: Clock,
    private readonly end: (thing: string) => void,
  ) {}

  /** Sets what the user needs from now on. */
  needs(user: string, things: Iterable<string>): void {
    const before = this.thingsByUser.get(user) ?? [];
    const now = [...new Set(things)];
    // New things first: a thing that is needed before and after must not be unused in between.
    for (const thing of now) this.take(thing);
    for (const thing of before) this.leave(thing);
    if (now.length === 0) this.thingsByUser.delete(user);
    else this.thingsByUser.set(user, now);
  }

  /** No user needs anything any more. */
  clear(): void {
    for (const user of [...this.thingsByUser.keys()]) this.needs(user, []);
  }

  /** Cancels every timer; ends nothing. */
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
