import { decodeJwt } from 'jose';
import type { Clock } from '@/lib/clock/clock';
import type { AuthMode, AuthSettings } from '@/server/config/auth';
import { Refusal } from '@/server/http/problem';
import type { PersonAuthority, PersonConnections } from '@/server/kube/person-api';
import type { SessionClaims } from './claims';
import type { Persons } from './persons';
import { askWhoAmI } from './self-subject';
import type { RequestSession } from './session';
import type { Sessions } from './sessions';

/** A found session: the person, and the cookie's content where there is a cookie. */
export interface FoundSession {
  readonly session: RequestSession;
  readonly claims: SessionClaims | undefined;
}

export interface SignInOptions {
  readonly settings: AuthSettings;
  readonly sessions: Sessions;
  readonly persons: Persons;
  readonly connections: PersonConnections;
  readonly clock: Clock;
}

/** Longer than any token that the cookies can hold. */
const MAX_TOKEN_LENGTH = 8_000;

/** Who the people are: everything that routes, pages and the gate do about sign-in. One object of the process. */
export class SignIn {
  /** Sessions of requests that are being answered, by the value of the session header. */
  readonly current = new Map<string, FoundSession>();

  constructor(private readonly options: SignInOptions) {}

  get mode(): AuthMode {
    return this.options.settings.mode;
  }

  get persons(): Persons {
    return this.options.persons;
  }

  get sessions(): Sessions {
    return this.options.sessions;
  }

  /** The session of a request whose gate has passed. */
  find(header: string | null | undefined): RequestSession | undefined {
    return header === null || header === undefined ? undefined : this.current.get(header)?.session;
  }

  /** The session of a Cookie header. */
  async read(cookies: string | undefined): Promise<FoundSession | undefined> {
    const claims = await this.options.sessions.read(cookies);
    return claims === undefined ? undefined : { session: this.sessionOf(claims), claims };
  }

  /** The session that claims describe. */
  sessionOf(claims: SessionClaims): RequestSession {
    return personSession(this.options.persons, claims.person, authorityOf(claims));
  }

  /**
   * Signs in with a token that a person pasted. The API server says who that is.
   *
   * @returns the Set-Cookie headers. @throws Refusal 400 or 401, each with one sentence
   */
  async withToken(text: string, cookies: string | undefined): Promise<{ claims: SessionClaims; setCookie: string[] }> {
    if (this.mode !== 'token') throw new Refusal(404, 'NotFound', 'This console does not take tokens.');
    const token = text.trim();
    if (token === '') throw new Refusal(400, 'BadRequest', 'Paste a token.');
    if (token.length > MAX_TOKEN_LENGTH || !/^[\x21-\x7e]+$/.test(token)) {
      throw new Refusal(
        400,
        'BadRequest',
        'This is not a bearer token: it is too long, or has spaces or unusual characters.',
      );
    }
    const api = this.options.connections.apiAs(() => ({ kind: 'bearer', token }));
    const person = await askWhoAmI(api, this.options.clock);
    return this.options.sessions.begin({ person, token, endsMs: expiryOf(token) }, cookies);
  }

  /** Ends the session of a Cookie header. @returns the page to go to, and the Set-Cookie headers */
  async signOut(
    cookies: string | undefined,
    where: 'here' | 'everywhere',
  ): Promise<{ to: string; setCookie: string[] }> {
    const claims = await this.options.sessions.read(cookies);
    const setCookie = await this.options.sessions.end(claims, where);
    return { to: '/sign-in', setCookie };
  }

  /** The person of a request, without noting a use. */
  async whoIsThere(headers: Headers): Promise<{ name: string | undefined; setCookie: readonly string[] }> {
    const found = await this.read(headers.get('cookie') ?? undefined);
    return { name: found?.session.user.name, setCookie: [] };
  }
}

/** A session with the parts that all requests of the authority share. */
export function personSession(
  persons: Persons,
  person: SessionClaims['person'],
  authority: PersonAuthority,
): RequestSession {
  const { name, groups } = person;
  const key = authority.kind === 'bearer' ? ['bearer', authority.token] : ['impersonate', name, ...groups];
  const parts = persons.get(key, authority);
  return { user: { name, groups }, identity: parts.identity, api: parts.api, hub: () => parts.hub() };
}

function authorityOf({ token, person }: SessionClaims): PersonAuthority {
  return token === undefined ? { kind: 'impersonate', ...person } : { kind: 'bearer', token };
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
