import { isJsonObject, type JsonObject, numberAt, stringAt } from '@/lib/json/json';
import type { SessionSettings } from '@/server/config/auth';

/** A person as the API server names them. */
export interface Person {
  readonly name: string;
  readonly groups: readonly string[];
}

/** What an OIDC session needs to be renewed. */
export interface OidcTokens {
  readonly idToken: string;
  /** Milliseconds since the epoch. */
  readonly idTokenEndsMs: number;
  readonly refreshToken: string | undefined;
}

/**
 * The content of a session cookie. States of a session: *signed in* (made at sign-in, with a new ID) → *idle end* (no request for the
 * idle time), *absolute end* (`endsMs`), or *signed out* (its ID, or its person before a time, is in the sign-outs); none returns.
 */
export interface SessionClaims {
  /** 128 random bits, new at each sign-in. */
  readonly id: string;
  readonly person: Person;
  /** Milliseconds since the epoch: sign-in, last request that was noted, absolute end. */
  readonly startedMs: number;
  readonly seenMs: number;
  readonly endsMs: number;
  /** The bearer token that a person pasted. */
  readonly token: string | undefined;
  readonly oidc: OidcTokens | undefined;
}

/** Whether a session still counts; what a sign-out ends is decided elsewhere. */
export function isAlive(claims: SessionClaims, nowMs: number, { idleMs }: SessionSettings): boolean {
  return nowMs < claims.endsMs && nowMs < claims.seenMs + idleMs;
}

/** The cookie is written again when a twentieth of the idle time has passed: not with each request. */
export function needsNote(claims: SessionClaims, nowMs: number, { idleMs }: SessionSettings): boolean {
  return nowMs - claims.seenMs > idleMs / 20;
}

/** The claims as JSON with short names: cookies are small. */
export function writeClaims(claims: SessionClaims): JsonObject {
  const { id, person, startedMs, seenMs, endsMs, token, oidc } = claims;
  return {
    v: 1,
    id,
    ...writePerson(person),
    s: startedMs,
    l: seenMs,
    e: endsMs,
    ...(token === undefined ? {} : { t: token }),
    ...(oidc === undefined ? {} : { o: writeTokens(oidc) }),
  };
}

/** Reads {@link writeClaims}; undefined for what another version wrote: the person signs in again. */
export function readClaims(value: JsonObject | undefined): SessionClaims | undefined {
  if (value === undefined || value.v !== 1) return undefined;
  const [id, person] = [stringAt(value, 'id'), readPerson(value)];
  const [startedMs, seenMs, endsMs] = [numberAt(value, 's'), numberAt(value, 'l'), numberAt(value, 'e')];
  if (id === undefined || person === undefined || startedMs === undefined) return undefined;
  if (seenMs === undefined || endsMs === undefined) return undefined;
  return {
    id,
    person,
    startedMs,
    seenMs,
    endsMs,
    token: stringAt(value, 't'),
    oidc: readTokens(value.o),
  };
}

/** A person with the names of {@link writeClaims}. */
export function writePerson({ name, groups }: Person): JsonObject {
  return { n: name, g: [...groups] };
}

/** Reads {@link writePerson}. */
export function readPerson(value: JsonObject): Person | undefined {
  const name = stringAt(value, 'n');
  if (name === undefined) return undefined;
  return { name, groups: Array.isArray(value.g) ? value.g.filter((group) => typeof group === 'string') : [] };
}

/** Tokens with the names of {@link writeClaims}. */
export function writeTokens({ idToken, idTokenEndsMs, refreshToken }: OidcTokens): JsonObject {
  return { i: idToken, e: idTokenEndsMs, ...(refreshToken === undefined ? {} : { r: refreshToken }) };
}

/** Reads {@link writeTokens}. */
export function readTokens(value: unknown): OidcTokens | undefined {
  if (!isJsonObject(value)) return undefined;
  const [idToken, idTokenEndsMs] = [stringAt(value, 'i'), numberAt(value, 'e')];
  if (idToken === undefined || idTokenEndsMs === undefined) return undefined;
  return { idToken, idTokenEndsMs, refreshToken: stringAt(value, 'r') };
}
