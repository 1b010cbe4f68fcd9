import type { Clock } from '@/lib/clock/clock';
import { type Random, randomUuid } from '@/lib/random/random';
import type { SessionSettings } from '@/server/config/auth';
import { Refusal } from '@/server/http/problem';
import { isAlive, type OidcTokens, type Person, readClaims, type SessionClaims, writeClaims } from './claims';
import { type CookieNames, clearCookie, readCookie, writeCookie } from './cookies';
import type { Keyring } from './keyring';
import { keyIdOf, seal, unseal } from './seal';
import type { SignOuts } from './sign-outs';

/** What a sign-in found out. */
export interface SignedIn {
  readonly person: Person;
  readonly token?: string | undefined;
  readonly oidc?: OidcTokens | undefined;
  /** The credential's own end, in milliseconds since the epoch; the session ends no later. */
  readonly endsMs?: number | undefined;
}

export interface SessionsOptions {
  readonly settings: SessionSettings;
  readonly names: CookieNames;
  readonly keyring: Keyring;
  readonly signOuts: SignOuts;
  readonly clock: Clock;
  readonly random: Random;
}

/** Sessions in sealed cookies. A replica keeps nothing of them: any replica with the keys reads them. */
export class Sessions {
  constructor(private readonly options: SessionsOptions) {}

  get settings(): SessionSettings {
    return this.options.settings;
  }

  /** The live session of a Cookie header; undefined when there is none, or it has ended. */
  async read(cookies: string | undefined): Promise<SessionClaims | undefined> {
    const { names, keyring, signOuts, clock, settings } = this.options;
    const sealed = readCookie(cookies, names.session);
    if (sealed === undefined || sealed === '') return undefined;
    const claims = readClaims(await unseal(sealed, 'session', await keyring.keysWith(keyIdOf(sealed))));
    if (claims === undefined || !isAlive(claims, clock.now(), settings)) return undefined;
    return (await signOuts.has(claims)) ? undefined : claims;
  }

  /** True when a session that was read before has ended meanwhile. */
  async hasEnded(claims: SessionClaims): Promise<boolean> {
    const { clock, settings, signOuts } = this.options;
    return !isAlive(claims, clock.now(), settings) || (await signOuts.has(claims));
  }

  /**
   * Begins a session with a new ID; one that the browser sent is ended, so that nobody can plant or keep it (session fixation).
   *
   * @returns the claims and the Set-Cookie headers. @throws Refusal 431 when tokens and groups are too large for cookies
   */
  async begin(
    signedIn: SignedIn,
    cookies: string | undefined,
  ): Promise<{ claims: SessionClaims; setCookie: string[] }> {
    const { clock, random, settings, signOuts } = this.options;
    const former = await this.read(cookies);
    if (former !== undefined) await signOuts.endSession(former);
    const nowMs = clock.now();
    const claims: SessionClaims = {
      id: randomUuid(random),
      person: signedIn.person,
      startedMs: nowMs,
      seenMs: nowMs,
      endsMs: Math.min(nowMs + settings.lifetimeMs, signedIn.endsMs ?? Number.POSITIVE_INFINITY),
      token: signedIn.token,
      oidc: signedIn.oidc,
    };
    return { claims, setCookie: await this.write(claims) };
  }

  /** The Set-Cookie headers of a session. @throws Refusal 431 when it is too large for cookies */
  async write(claims: SessionClaims): Promise<string[]> {
    const { names, keyring, clock } = this.options;
    const sealed = await seal(writeClaims(claims), 'session', await keyring.keys());
    const setCookie = writeCookie(names, names.session, sealed, claims.endsMs - clock.now());
    if (setCookie !== undefined) return setCookie;
    throw new Refusal(
      431,
      'SessionTooLarge',
      `The tokens and the ${claims.person.groups.length} groups of this account do not fit into cookies. Let the provider send fewer groups or claims.`,
    );
  }

  /** Ends a session on the server and in the browser; `everywhere` ends every session of the person. */
  async end(claims: SessionClaims | undefined, where: 'here' | 'everywhere'): Promise<string[]> {
    const { names, signOuts } = this.options;
    if (claims !== undefined) await (where === 'here' ? signOuts.endSession(claims) : signOuts.endAll(claims));
    return [...clearCookie(names, names.session), ...clearCookie(names, names.viewAs)];
  }
}
