import { createHash } from 'node:crypto';
import type { Clock, Timer } from '@/lib/clock/clock';
import type { OidcTokens, Person } from './claims';

/** An ID token is renewed so long before its end. */
const BEFORE_END_MS = 60_000;
/**
 * The result of a refresh is kept so long: requests that were sent with the old cookie get it too, and the old refresh token is not
 * used a second time, which a provider with rotation takes for theft.
 */
export const KEPT_MS = 60_000;
/** After a refresh that the provider did not answer. */
export const RETRY_MS = 5_000;
/** A request with an ID token that lasts longer does not wait longer: it goes on with that, and a later one has the renewed token. */
const PATIENCE_MS = 5_000;
const MOST_KEPT = 5_000;

export interface Renewed {
  readonly tokens: OidcTokens;
  /** As the provider has them now: a group that was added or taken away counts from here on. */
  readonly person: Person;
}

/** `ended`: the provider no longer accepts the refresh token. `later`: it does not answer. */
export type Renewal = Renewed | 'ended' | 'later';

interface Kept {
  readonly result: Promise<Renewal>;
  untilMs: number;
}

/** Renews tokens before they end, each refresh token once however many requests arrive with it. */
export class Renewals {
  private readonly kept = new Map<string, Kept>();

  constructor(
    private readonly clock: Clock,
    /** @param person as they were until now */
    private readonly refresh: (refreshToken: string, person: Person) => Promise<Renewal>,
  ) {}

  /** `same`: the tokens need no renewal, or cannot have one now. `ended`: the provider no longer knows this session. */
  async renew({ refreshToken, idTokenEndsMs }: OidcTokens, person: Person): Promise<Renewed | 'same' | 'ended'> {
    if (refreshToken === undefined || this.clock.now() < idTokenEndsMs - BEFORE_END_MS) return 'same';
    const result = await this.withPatience(this.once(refreshToken, person), idTokenEndsMs);
    return result === 'later' ? 'same' : result;
  }

  /** `later` when the result takes longer than a request should wait; only for a token that is good for at least as long again. */
  private async withPatience(result: Promise<Renewal>, idTokenEndsMs: number): Promise<Renewal> {
    const { clock } = this;
    if (idTokenEndsMs - clock.now() < 2 * PATIENCE_MS) return result;
    let timer: Timer | undefined;
    const patience = new Promise<'later'>((resolve) => {
      timer = clock.after(PATIENCE_MS, () => resolve('later'));
    });
    return Promise.race([result, patience]).finally(() => timer?.cancel());
  }

  private once(refreshToken: string, person: Person): Promise<Renewal> {
    const key = createHash('sha256').update(refreshToken).digest('hex');
    const nowMs = this.clock.monotonic();
    const known = this.kept.get(key);
    if (known !== undefined && nowMs < known.untilMs) return known.result;
    if (this.kept.size >= MOST_KEPT) this.forgetOld(nowMs);
    const kept: Kept = { result: this.refresh(refreshToken, person), untilMs: Number.POSITIVE_INFINITY };
    const keepFor = (durationMs: number) => {
      kept.untilMs = this.clock.monotonic() + durationMs;
    };
    kept.result.then(
      (result) => keepFor(result === 'later' ? RETRY_MS : KEPT_MS),
      () => keepFor(RETRY_MS),
    );
    this.kept.set(key, kept);
    return kept.result;
  }

  private forgetOld(nowMs: number): void {
    for (const [key, { untilMs }] of this.kept) if (nowMs >= untilMs) this.kept.delete(key);
  }
}
