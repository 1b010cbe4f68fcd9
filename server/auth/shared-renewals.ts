import { type Clock, sleep } from '@/lib/clock/clock';
import { ConflictError, messageOf } from '@/lib/errors/errors';
import type { JsonObject } from '@/lib/json/json';
import { stringAt } from '@/lib/json/json';
import { type Random, randomUuid } from '@/lib/random/random';
import type { Log } from '@/server/log/log';
import { readPerson, readTokens, writePerson, writeTokens } from './claims';
import type { Keyring } from './keyring';
import { HOLDER_MS, type RenewalEntry, readEntry, renewalKey, withHolder, withResult } from './renewal-entries';
import { KEPT_MS, RETRY_MS, type Renewal } from './renewals';
import { keyIdOf, seal, unseal } from './seal';
import type { SharedDocument } from './shared-document';

/** How often a replica looks for the result of another one. */
const LOOK_EVERY_MS = 200;
/** A result is written so often: without it the other replicas would use the refresh token again. */
const PUBLISH_TRIES = 3;

export interface SharedRenewalsOptions {
  readonly document: SharedDocument;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/**
 * Uses a refresh token once among all replicas of the console. A provider that rotates refresh tokens takes a second use for theft and
 * ends the session.
 *
 * States of a renewal: *free* → *held* by the replica that could write its claim (optimistic lock) → *done*, with the sealed result. Other
 * replicas wait while it is held, and use the result. A holder that wrote nothing for {@link HOLDER_MS} is replaced. When the document
 * cannot be written, each replica renews for itself.
 */
export class SharedRenewals {
  private readonly holder: string;
  private isAlone = false;

  constructor(private readonly options: SharedRenewalsOptions) {
    this.holder = randomUuid(options.random);
  }

  /** What the refresh token becomes: by `refresh`, or by another replica that was first. @throws the errors of `refresh` */
  async renew(refreshToken: string, refresh: () => Promise<Renewal>): Promise<Renewal> {
    const key = renewalKey(refreshToken);
    const claimed = await this.claim(key);
    if (claimed === 'alone') return refresh();
    return claimed === 'mine' ? this.renewAsHolder(key, refresh) : claimed.result;
  }

  /** Takes the place of the holder, or waits for the result of the one who has it. */
  private async claim(key: string): Promise<'mine' | 'alone' | { readonly result: Renewal }> {
    const { clock } = this.options;
    let [seen, untilMs]: [string | undefined, number] = [undefined, clock.monotonic() + HOLDER_MS];
    try {
      for (;;) {
        const found = await this.look(key, seen);
        // Who has taken the place of a dead holder is waited for anew.
        if (found !== seen) untilMs = clock.monotonic() + HOLDER_MS;
        seen = found;
        const entry = readEntry(seen);
        const result = entry?.kind === 'result' ? await this.open(key, entry) : undefined;
        if (result !== undefined) return { result };
        const hasPatience = clock.monotonic() < untilMs;
        if (!(hasPatience && this.isHeldByAnother(entry)) && (await this.tryToHold(key, seen, hasPatience))) break;
        await sleep(clock, LOOK_EVERY_MS);
      }
      this.noteShared();
      return 'mine';
    } catch (error) {
      this.noteAlone(error);
      return 'alone';
    }
  }

  /** The entry as it is now. While it cannot be read, a holder that was seen before still counts: it may be at work. */
  private async look(key: string, before: string | undefined): Promise<string | undefined> {
    try {
      return (await this.options.document.read()).get(key);
    } catch (error) {
      if (before === undefined) throw error;
      return before;
    }
  }

  private isHeldByAnother(entry: RenewalEntry | undefined): boolean {
    if (entry?.kind !== 'holder' || entry.holder === this.holder) return false;
    return this.options.clock.now() < entry.sinceMs + HOLDER_MS;
  }

  /** True when this replica is the holder now. Many renewals at once conflict in one document: that is no reason to go alone. */
  private async tryToHold(key: string, seen: string | undefined, hasPatience: boolean): Promise<boolean> {
    const { document, clock } = this.options;
    const claim = { holder: this.holder, sinceMs: clock.now() };
    try {
      const entry = readEntry((await document.update((content) => withHolder(content, key, seen, claim))).get(key));
      return entry?.kind === 'holder' && entry.holder === this.holder;
    } catch (error) {
      if (error instanceof ConflictError && hasPatience) return false;
      throw error;
    }
  }

  private async renewAsHolder(key: string, refresh: () => Promise<Renewal>): Promise<Renewal> {
    try {
      const result = await refresh();
      await this.publish(key, result);
      return result;
    } catch (error) {
      // Nobody knows what the provider made of the refresh token: the others try again as late as this replica does.
      await this.publish(key, 'later');
      throw error;
    }
  }

  private async publish(key: string, result: Renewal): Promise<void> {
    const { document, keyring, clock } = this.options;
    for (let attempt = 1; ; attempt++) {
      try {
        const sealed = await seal(writeResult(key, result), 'renewal', await keyring.keys());
        const nowMs = clock.now();
        const untilMs = nowMs + (result === 'later' ? RETRY_MS : KEPT_MS);
        await document.update((content) => withResult(content, key, { holder: this.holder, sealed, untilMs, nowMs }));
        return;
      } catch (error) {
        if (attempt >= PUBLISH_TRIES) return this.noteAlone(error);
        await sleep(clock, LOOK_EVERY_MS);
      }
    }
  }

  /** The result of an entry; undefined when it is too old, or was not sealed for this entry by a console. */
  private async open(key: string, entry: RenewalEntry & { kind: 'result' }): Promise<Renewal | undefined> {
    const { clock, keyring } = this.options;
    if (clock.now() >= entry.untilMs) return undefined;
    const { sealed } = entry;
    return readResult(key, await unseal(sealed, 'renewal', await keyring.keysWith(keyIdOf(sealed))));
  }

  private noteAlone(error: unknown): void {
    if (this.isAlone) return;
    this.isAlone = true;
    this.options.log.warn('renewals.alone', {
      problem: messageOf(error),
      advice:
        'Replicas do not share renewed sessions. Let the account of the console get, create and update the Secret bravo-renewals in its namespace (bravo init --console does).',
    });
  }

  private noteShared(): void {
    if (this.isAlone) this.options.log.info('renewals.shared');
    this.isAlone = false;
  }
}

/** With the name of its entry: a client that can write the document cannot give the result of one session to another. */
function writeResult(key: string, result: Renewal): JsonObject {
  if (typeof result === 'string') return { k: key, r: result };
  return { k: key, r: 'renewed', o: writeTokens(result.tokens), ...writePerson(result.person) };
}

function readResult(key: string, value: JsonObject | undefined): Renewal | undefined {
  if (value === undefined || stringAt(value, 'k') !== key) return undefined;
  const result = stringAt(value, 'r');
  if (result === 'ended' || result === 'later') return result;
  const [tokens, person] = [readTokens(value.o), readPerson(value)];
  return tokens === undefined || person === undefined ? undefined : { tokens, person };
}
