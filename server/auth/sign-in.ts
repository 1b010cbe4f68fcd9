import type { IncomingMessage } from 'node:http';
import type { BlockList } from 'node:net';
import { decodeJwt } from 'jose';
import type { Clock } from '@/lib/clock/clock';
import { messageOf, TransientError } from '@/lib/errors/errors';
import type { AuthMode, AuthSettings } from '@/server/config/auth';
import { Refusal } from '@/server/http/problem';
import type { PersonAuthority, PersonConnections } from '@/server/kube/person-api';
import type { Log } from '@/server/log/log';
import { claimedPerson } from './claimed-person';
import type { OidcTokens, Person, SessionClaims } from './claims';
import type { OidcProvider, ProviderAnswer } from './oidc';
import type { PersonInCluster } from './person-of-request';
import type { Persons } from './persons';
import { type ProxyProofs, proxyPerson } from './proxy-person';
import { type Renewal, Renewals } from './renewals';
import { askWhoAmI } from './self-subject';
import type { Sessions, SignedIn } from './sessions';
import type { SharedRenewals } from './shared-renewals';

/** A found session: the person, the cookie's content where there is a cookie, and the Set-Cookie headers when it was renewed. */
export interface FoundSession {
  readonly person: Person;
  readonly authority: PersonAuthority;
  readonly claims: SessionClaims | undefined;
  readonly setCookie: readonly string[];
}

export interface SignInOptions {
  readonly settings: AuthSettings;
  readonly sessions: Sessions;
  readonly persons: Persons;
  readonly connections: PersonConnections;
  /** With BRAVO_AUTH=oidc. */
  readonly provider: OidcProvider | undefined;
  /** What replicas renew is shared by this; undefined for a console that is the only one. */
  readonly sharedRenewals?: SharedRenewals | undefined;
  /** With BRAVO_AUTH=proxy. */
  readonly proxyProofs: ProxyProofs | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

interface Begun {
  readonly claims: SessionClaims;
  readonly setCookie: string[];
}

/** How a sign-in at the provider, or a sign-out, ended. */
export interface FinishedSignIn {
  /** The page to go to. */
  readonly to: string;
  readonly setCookie: string[];
  /** Who it was, when that is known. */
  readonly person?: Person;
  /** Why nobody was signed in: one word. */
  readonly failure?: string;
}

/** Longer than any token that the cookies can hold. */
const MAX_TOKEN_LENGTH = 8_000;

/** Who the people are: everything that routes, pages and the gate do about sign-in. One object of the process. */
export class SignIn {
  /** Sessions of requests that are being answered, by the value of the session header. */
  readonly current = new Map<string, FoundSession>();
  private readonly renewals: Renewals;

  constructor(private readonly options: SignInOptions) {
    const { clock, sharedRenewals: shared } = options;
    this.renewals = new Renewals(clock, (refreshToken, person) => {
      const refresh = () => this.refresh(refreshToken, person);
      return shared === undefined ? refresh() : shared.renew(refreshToken, refresh);
    });
  }

  get mode(): AuthMode {
    return this.options.settings.mode;
  }

  /** True when API servers get the person's own token, false when the console acts for the person. */
  get sendsTokens(): boolean {
    const { settings } = this.options;
    return settings.mode === 'token' || (settings.mode === 'oidc' && settings.oidc.use === 'token');
  }

  /** Proxies whose X-Forwarded-For is believed. */
  get trustedProxies(): BlockList | undefined {
    return this.options.settings.trustedProxies;
  }

  get persons(): Persons {
    return this.options.persons;
  }

  get sessions(): Sessions {
    return this.options.sessions;
  }

  /** The provider. @throws Refusal 404 where there is none */
  get provider(): OidcProvider {
    if (this.options.provider !== undefined) return this.options.provider;
    throw new Refusal(404, 'NotFound', 'This console has no OIDC provider.');
  }

  /** The person of a request whose gate has passed, in the cluster of `persons`. */
  find(header: string | null | undefined, persons: Persons): PersonInCluster | undefined {
    const found = header === null || header === undefined ? undefined : this.current.get(header);
    return found === undefined ? undefined : this.personIn(found, persons);
  }

  /** The session of a request as it arrived: by what the proxy says, or by its cookie. */
  async readRequest(request: IncomingMessage): Promise<FoundSession | undefined> {
    const { settings, proxyProofs } = this.options;
    if (settings.mode !== 'proxy' || proxyProofs === undefined) return this.read(request.headers.cookie);
    const person = proxyPerson(request, settings.proxy, proxyProofs);
    if (person === undefined) return undefined;
    return { person, authority: { kind: 'impersonate', ...person }, claims: undefined, setCookie: [] };
  }

  /** The session of a Cookie header, with tokens that do not expire within the next minute where the provider gives them. */
  async read(cookies: string | undefined): Promise<FoundSession | undefined> {
    const read = await this.options.sessions.read(cookies);
    if (read === undefined) return undefined;
    const claims = read.oidc === undefined ? read : await this.renew(read, read.oidc);
    if (claims === undefined) return undefined;
    const setCookie = claims === read ? [] : await this.options.sessions.write(claims);
    return { person: claims.person, authority: this.authorityOf(claims), claims, setCookie };
  }

  /**
   * Signs in with a token that a person pasted. The API server says who that is.
   *
   * @throws Refusal 400 or 401, each with one sentence
   */
  async withToken(text: string, cookies: string | undefined): Promise<Begun> {
    if (this.mode !== 'token') throw new Refusal(404, 'NotFound', 'This console does not take tokens.');
    const token = text.trim();
    if (token === '') throw new Refusal(400, 'BadRequest', 'Paste a token.');
    if (token.length > MAX_TOKEN_LENGTH || !/^[\x21-\x7e]+$/.test(token)) {
      const message = 'This is not a bearer token: it is too long, or has spaces or unusual characters.';
      throw new Refusal(400, 'BadRequest', message);
    }
    return this.options.sessions.begin({ person: await this.whoHas(token), token, endsMs: expiryOf(token) }, cookies);
  }

  /** Signs in with what the provider said. @throws Refusal 401 or 403 when that is nobody to the cluster */
  async withProvider(answer: ProviderAnswer, cookies: string | undefined): Promise<Begun> {
    const signedIn: SignedIn = {
      person: await this.personOf(answer),
      oidc: answer.tokens,
      // What cannot be renewed ends with the token.
      endsMs: answer.tokens.refreshToken === undefined ? answer.tokens.idTokenEndsMs : undefined,
    };
    return this.options.sessions.begin(signedIn, cookies);
  }

  /** Ends a sign-in at the provider. @returns the page to go to, and the Set-Cookie headers */
  async finishProvider(search: string, cookies: string | undefined): Promise<FinishedSignIn> {
    const forget = this.provider.forget();
    const result = await this.provider.finish(search, cookies);
    if (result.kind === 'failure') {
      return { to: `/sign-in?problem=${result.failure}`, setCookie: forget, failure: result.failure };
    }
    try {
      const { claims, setCookie } = await this.withProvider(result.answer, cookies);
      return { to: result.to, setCookie: [...forget, ...setCookie], person: claims.person };
    } catch (error) {
      this.options.log.warn('sign-in.refused', { error: messageOf(error) });
      return { to: '/sign-in?problem=cluster', setCookie: forget, failure: 'cluster' };
    }
  }

  /** Ends the session of a Cookie header. @returns the page to go to, and the Set-Cookie headers */
  async signOut(cookies: string | undefined, where: 'here' | 'everywhere'): Promise<FinishedSignIn> {
    const { settings, sessions, provider } = this.options;
    const claims = await sessions.read(cookies);
    const setCookie = await sessions.end(claims, where);
    const person = claims === undefined ? {} : { person: claims.person };
    if (settings.mode === 'proxy') return { to: settings.proxy.signOutUrl ?? '/', setCookie, ...person };
    return { to: (await provider?.signOutUrl()) ?? '/sign-in', setCookie, ...person };
  }

  /** The person of a session in the cluster of `persons`. */
  personIn({ person, authority }: Pick<FoundSession, 'person' | 'authority'>, persons: Persons): PersonInCluster {
    const { name, groups } = person;
    // An ID token is renewed: it is the person who stays the same. A pasted token is all that is known of its owner.
    const isPasted = this.mode === 'token' && authority.kind === 'bearer';
    const key = isPasted ? ['token', authority.token] : [this.mode, name, ...groups];
    const parts = persons.get(key, authority);
    return { user: { name, groups }, identity: parts.identity, api: parts.api, authority };
  }

  private authorityOf({ token, oidc, person }: SessionClaims): PersonAuthority {
    const { settings } = this.options;
    if (token !== undefined) return { kind: 'bearer', token };
    if (settings.mode === 'oidc' && settings.oidc.use === 'token' && oidc !== undefined) {
      return { kind: 'bearer', token: oidc.idToken };
    }
    return { kind: 'impersonate', ...person };
  }

  /** The claims with tokens that last; undefined when the session has ended with them. */
  private async renew(claims: SessionClaims, tokens: OidcTokens): Promise<SessionClaims | undefined> {
    const nowMs = this.options.clock.now();
    const renewed = await this.renewals.renew(tokens, claims.person);
    if (renewed === 'ended') return undefined;
    if (renewed === 'same') return nowMs < tokens.idTokenEndsMs ? claims : undefined;
    return { ...claims, person: renewed.person, oidc: renewed.tokens };
  }

  private async refresh(refreshToken: string, before: Person): Promise<Renewal> {
    const answer = await this.provider.refresh(refreshToken);
    if (answer === 'ended' || answer === 'later') return answer;
    const { tokens } = answer;
    try {
      return { tokens, person: await this.personOf(answer) };
    } catch (error) {
      // The provider has used the refresh token up: what it gave must not be lost while an API server restarts.
      if (error instanceof TransientError) return { tokens, person: before };
      throw error;
    }
  }

  /** With the ID token the API server says who it is; otherwise the claims do. */
  private async personOf(answer: ProviderAnswer): Promise<Person> {
    const { settings } = this.options;
    if (settings.mode !== 'oidc') throw new Refusal(404, 'NotFound', 'This console has no OIDC provider.');
    if (settings.oidc.use === 'token') return this.whoHas(answer.tokens.idToken);
    return claimedPerson(answer.claims, settings.oidc);
  }

  private whoHas(token: string): Promise<Person> {
    return askWhoAmI(
      this.options.connections.apiAs(() => ({ kind: 'bearer', token })),
      this.options.clock,
    );
  }
}

/** When a token ends that says so, as ServiceAccount tokens do; in milliseconds since the epoch. */
function expiryOf(token: string): number | undefined {
  try {
    const { exp } = decodeJwt(token);
    return exp === undefined ? undefined : exp * 1000;
  } catch {
    return undefined;
  }
}
