import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Clock } from '@/lib/clock/clock';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import type { Random } from '@/lib/random/random';
import type { SealKey, SealKeys } from './seal';
import type { SharedDocument } from './shared-document';

const KEY_BYTES = 32;
const DAY_MS = 86_400_000;
/** A new key is made after 30 days; cookies of the one before can be opened for as long again. */
const NEW_AFTER_MS = 30 * DAY_MS;
const GONE_AFTER_MS = 2 * NEW_AFTER_MS;
const FRESH_MS = 60_000;
/** A cookie with an unknown key makes the keys be read again, but not more often than this. */
const REREAD_MS = 5_000;

/** Where keys come from; called again when they may have changed. */
export type ReadKeys = () => Promise<SealKeys>;

/** The keys of the session cookies, read again every minute: a key that was added or removed takes effect without a restart. */
export class Keyring {
  private current: SealKeys | undefined;
  private readAtMs = 0;
  private reading: Promise<SealKeys> | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly readKeys: ReadKeys,
  ) {}

  /** @throws the errors of the source when no keys were ever read; later the last ones count */
  async keys(): Promise<SealKeys> {
    const { current } = this;
    return current === undefined || this.ageMs() > FRESH_MS ? this.read() : current;
  }

  /** The same; read again when a key is missing: another replica may have made it. */
  async keysWith(id: string | undefined): Promise<SealKeys> {
    const known = await this.keys();
    const isKnown = id === undefined || known.keys.some((key) => key.id === id);
    return isKnown || this.ageMs() < REREAD_MS ? known : this.read();
  }

  private ageMs(): number {
    return this.clock.monotonic() - this.readAtMs;
  }

  private read(): Promise<SealKeys> {
    this.reading ??= this.readOnce().finally(() => {
      this.reading = undefined;
    });
    return this.reading;
  }

  private async readOnce(): Promise<SealKeys> {
    try {
      this.current = await this.readKeys();
    } catch (error) {
      if (this.current === undefined) throw error;
    }
    this.readAtMs = this.clock.monotonic();
    return this.current;
  }
}

/** Keys of a file: one a line, 32 bytes as base64, the newest first. Made by `openssl rand -base64 32`. */
export function keysOfFile(path: string): ReadKeys {
  return async () => {
    const lines = readText(path)
      .split(/\r?\n/)
      .map((line) => line.trim());
    const keys = lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => keyOf(line, path));
    if (keys.length === 0)
      throw new TerminalError(`${path} has no key. Add one: openssl rand -base64 32.`, 'NoSessionKey');
    return { keys };
  };
}

/** Keys that the console makes by itself, in a document that all replicas share: `key-<milliseconds>` → base64. */
export function keysOfDocument(document: SharedDocument, clock: Clock, random: Random): ReadKeys {
  return async () => {
    const nowMs = clock.now();
    const stored = await document.read();
    if (isFresh(stored, nowMs)) return sorted(stored);
    return sorted(
      await document.update((content) => {
        // Another replica may just have made it.
        if (isFresh(content, nowMs)) return content;
        const kept = [...content].filter(([name]) => nowMs - madeMs(name) < GONE_AFTER_MS);
        return new Map([...kept, [`key-${nowMs}`, Buffer.from(random.bytes(KEY_BYTES)).toString('base64')]]);
      }),
    );
  };
}

function isFresh(content: ReadonlyMap<string, string>, nowMs: number): boolean {
  return [...content.keys()].some((name) => nowMs - madeMs(name) < NEW_AFTER_MS);
}

function sorted(content: ReadonlyMap<string, string>): SealKeys {
  const newestFirst = [...content].sort(([a], [b]) => madeMs(b) - madeMs(a));
  return { keys: newestFirst.map(([name, text]) => keyOf(text, name)) };
}

function madeMs(name: string): number {
  return Number(/^key-(\d+)$/.exec(name)?.[1] ?? 0);
}

function keyOf(text: string, place: string): SealKey {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === KEY_BYTES) return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 12), bytes };
  throw new TerminalError(
    `A key in ${place} is not ${KEY_BYTES} bytes as base64. Make one: openssl rand -base64 32.`,
    'BadSessionKey',
  );
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const message = `The keys of BRAVO_SESSION_KEYS cannot be read from ${path}: ${messageOf(error)}.`;
    throw new TerminalError(message, 'NoSessionKey', { cause: error });
  }
}
