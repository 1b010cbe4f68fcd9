import { createHash } from 'node:crypto';
import type { Clock, Timer } from '@/lib/clock/clock';
import { Refusal } from '@/server/http/problem';
import type { Api } from '@/server/kube/api';
import type { PersonAuthority, PersonConnections } from '@/server/kube/person-api';

/** What is kept of a person while they work: their Api. */
export interface PersonParts {
  /** Unique for an authority: the same person with other groups is another one. */
  readonly identity: string;
  readonly api: Api;
}

interface Held extends PersonParts {
  authority: PersonAuthority;
  usedAtMs: number;
}

/** More people at a time than one console is made for. */
const MOST = 200;
const IDLE_MS = 60_000;

export interface PersonsOptions {
  readonly connections: PersonConnections;
  readonly clock: Clock;
  /** Its name, where it is not the home cluster: an identity is of one cluster. */
  readonly cluster?: string;
}

/** The people who work with this console now, each with their own Api. Who was not here for a minute is let go. */
export class Persons {
  private readonly held = new Map<string, Held>();
  private sweeping: Timer | undefined;

  constructor(private readonly options: PersonsOptions) {}

  /**
   * The parts of an authority.
   *
   * @param key what makes it unique: people share parts only when it is equal
   * @throws Refusal 503 when there are too many people
   */
  get(key: readonly string[], authority: PersonAuthority): PersonParts {
    const { cluster } = this.options;
    const identity = createHash('sha256')
      .update(JSON.stringify(cluster === undefined ? key : { cluster, key }))
      .digest('hex');
    const known = this.held.get(identity) ?? this.open(identity, authority);
    // Of one person the newest token counts, for open streams too.
    known.authority = authority;
    known.usedAtMs = this.options.clock.monotonic();
    return known;
  }

  close(): void {
    this.sweeping?.cancel();
    this.held.clear();
  }

  private open(identity: string, authority: PersonAuthority): Held {
    this.sweep();
    if (this.held.size >= MOST) {
      throw new Refusal(503, 'TooManyPeople', `More than ${MOST} people use this console now. Try again in a minute.`);
    }
    const held: Held = {
      identity,
      authority,
      usedAtMs: 0,
      api: this.options.connections.apiAs(() => held.authority),
    };
    this.held.set(identity, held);
    return held;
  }

  private sweep(): void {
    const nowMs = this.options.clock.monotonic();
    for (const [identity, { usedAtMs }] of this.held) {
      if (nowMs - usedAtMs >= IDLE_MS) this.held.delete(identity);
    }
    this.sweeping?.cancel();
    this.sweeping = this.held.size === 0 ? undefined : this.options.clock.after(IDLE_MS, () => this.sweep());
  }
}
