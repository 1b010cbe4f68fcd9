import { createHash } from 'node:crypto';
import type { Clock } from '@/lib/clock/clock';
import type { SessionClaims } from './claims';
import type { SharedDocument } from './shared-document';

/** Another replica's sign-out is noticed within this time. */
const FRESH_MS = 5_000;

/**
 * Sessions that were signed out before their time, shared by all replicas: `session-<hash>` → its absolute end, and
 * `person-<hash>` → the time up to which every session of the person has ended, in milliseconds since the epoch.
 * Entries that no session can outlive are taken away with the next write.
 */
export class SignOuts {
  private content: ReadonlyMap<string, string> | undefined;
  private readAtMs = 0;
  private reading: Promise<ReadonlyMap<string, string>> | undefined;

  constructor(
    private readonly document: SharedDocument,
    private readonly clock: Clock,
    private readonly lifetimeMs: number,
  ) {}

  /** @throws the errors of the document while it was never read; later the last content counts */
  async has(claims: SessionClaims): Promise<boolean> {
    const content = await this.read();
    if (content.has(sessionKey(claims))) return true;
    const beforeMs = Number(content.get(personKey(claims)) ?? 0);
    return claims.startedMs <= beforeMs;
  }

  /** Ends one session. */
  endSession(claims: SessionClaims): Promise<void> {
    return this.add(sessionKey(claims), claims.endsMs);
  }

  /** Ends every session of a person that began by now. */
  endAll(claims: SessionClaims): Promise<void> {
    return this.add(personKey(claims), this.clock.now());
  }

  private async add(key: string, timeMs: number): Promise<void> {
    const oldestMs = this.clock.now() - this.lifetimeMs;
    this.content = await this.document.update((content) => {
      const kept = [...content].filter(([, text]) => Number(text) > oldestMs);
      return new Map([...kept, [key, String(timeMs)]]);
    });
    this.readAtMs = this.clock.monotonic();
  }

  private async read(): Promise<ReadonlyMap<string, string>> {
    if (this.content !== undefined && this.clock.monotonic() - this.readAtMs < FRESH_MS) return this.content;
    this.reading ??= this.readOnce().finally(() => {
      this.reading = undefined;
    });
    return this.reading;
  }

  private async readOnce(): Promise<ReadonlyMap<string, string>> {
    try {
      this.content = await this.document.read();
    } catch (error) {
      if (this.content === undefined) throw error;
    }
    this.readAtMs = this.clock.monotonic();
    return this.content;
  }
}

function sessionKey({ id }: SessionClaims): string {
  return `session-${digest(id)}`;
}

function personKey({ person }: SessionClaims): string {
  return `person-${digest(person.name)}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
