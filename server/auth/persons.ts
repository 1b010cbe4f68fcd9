import { createHash } from 'node:crypto';
import type { Clock, Timer } from '@/lib/clock/clock';
import { Refusal } from '@/server/http/problem';
import type { Api } from '@/server/kube/api';
import type { PersonAuthority, PersonConnections } from '@/server/kube/person-api';
import type { LiveHub } from '@/server/live/hub';

/** What is kept of a person while they work: their Api, and their live hub. */
export interface PersonParts {
  /** Unique for an authority: the same person with other groups is another one. */
  readonly identity: string;
  readonly api: Api;
  /** Opened when it is first asked for. */
  hub(): LiveHub;
}

interface Held extends PersonParts {
  authority: PersonAuthority;
  opened: LiveHub | undefined;
  usedAtMs: number;
}

/** More people at a time than one console is made for; each has watches of their own. */
const MOST = 200;
const IDLE_MS = 60_000;

/** The people who work with this console now, each with their own Api. Who was not here for a minute and reads no stream is let go. */
export class Persons {
  private readonly held = new Map<string, Held>();
  private sweeping: Timer | undefined;

  constructor(
    private readonly options: {
      readonly connections: PersonConnections;
      readonly clock: Clock;
      readonly openHub: (api: Api) => LiveHub;
    },
  ) {}

  /**
   * The parts of an authority.
   *
   * @param key what makes it unique: people share parts only when it is equal
   * @throws Refusal 503 when there are too many people
   */
  get(key: readonly string[], authority: PersonAuthority): PersonParts {
    const identity = createHash('sha256').update(JSON.stringify(key)).digest('hex');
    const known = this.held.get(identity) ?? this.open(identity, authority);
    // Of one person the newest token counts, for open streams too.
    known.authority = authority;
    known.usedAtMs = this.options.clock.monotonic();
    return known;
  }

  /** Asks again for what the API refused: rights or kinds have changed. */
  askRefusedAgain(): void {
    for (const { opened } of this.held.values()) opened?.askRefusedAgain();
  }

  close(): void {
    this.sweeping?.cancel();
    for (const { opened } of this.held.values()) opened?.close();
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
      opened: undefined,
      usedAtMs: 0,
      api: this.options.connections.apiAs(() => held.authority),
      hub: () => {
        held.opened ??= this.options.openHub(held.api);
        return held.opened;
      },
    };
    this.held.set(identity, held);
    return held;
  }

  private sweep(): void {
    const nowMs = this.options.clock.monotonic();
    for (const [identity, { usedAtMs, opened }] of this.held) {
      if (nowMs - usedAtMs < IDLE_MS || opened?.isRead === true) continue;
      opened?.close();
      this.held.delete(identity);
    }
    this.sweeping?.cancel();
    this.sweeping = this.held.size === 0 ? undefined : this.options.clock.after(IDLE_MS, () => this.sweep());
  }
}
