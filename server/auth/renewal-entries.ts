import { createHash } from 'node:crypto';
import { numberAt, parseJsonObject, stringAt } from '@/lib/json/json';

/*
 * The content of the document in which replicas share renewals: `renewal-<hash of the refresh token that is used up>` → JSON, one of
 *
 *   {"holder":"<replica>","since":<ms>}   a replica asks the provider; other replicas wait for what it gets
 *   {"until":<ms>,"sealed":"<JWE>"}       what it got, for requests that still carry the old refresh token
 *
 * An entry goes from nothing to a holder, from a holder that died to another one, and from a holder to the result. Times are
 * milliseconds since the epoch.
 */

/** A holder that has not written a result for so long has died: longer than all deadlines of a renewal together. */
export const HOLDER_MS = 45_000;
/** A result that is larger fits into no cookie either. */
const MOST_OF_ONE = 16 * 1024;
/** Of all entries, in characters: Kubernetes refuses a Secret with more than 1 MiB. */
const MOST_OF_ALL = 512 * 1024;

export type RenewalContent = ReadonlyMap<string, string>;

/** An entry as it was read. `text` is for {@link withHolder}: a claim counts only while the entry is the one that was seen. */
export type RenewalEntry =
  | { readonly kind: 'holder'; readonly holder: string; readonly sinceMs: number }
  | { readonly kind: 'result'; readonly sealed: string; readonly untilMs: number };

/** The name of an entry. A refresh token has too many random bits to be guessed from its hash. */
export function renewalKey(refreshToken: string): string {
  return `renewal-${createHash('sha256').update(refreshToken).digest('hex').slice(0, 40)}`;
}

/** Reads one entry; undefined when there is none, or another version wrote it. */
export function readEntry(text: string | undefined): RenewalEntry | undefined {
  const value = text === undefined ? undefined : parseJsonObject(text);
  const [holder, sinceMs] = [stringAt(value, 'holder'), numberAt(value, 'since')];
  if (holder !== undefined && sinceMs !== undefined) return { kind: 'holder', holder, sinceMs };
  const [sealed, untilMs] = [stringAt(value, 'sealed'), numberAt(value, 'until')];
  return sealed !== undefined && untilMs !== undefined ? { kind: 'result', sealed, untilMs } : undefined;
}

/** The content with `holder` as the one who renews; unchanged when the entry is no longer the one that was `seen`. */
export function withHolder(
  content: RenewalContent,
  key: string,
  seen: string | undefined,
  claim: { readonly holder: string; readonly sinceMs: number },
): RenewalContent {
  if (content.get(key) !== seen) return content;
  const text = JSON.stringify({ holder: claim.holder, since: claim.sinceMs });
  return new Map([...withoutOld(content, claim.sinceMs), [key, text]]);
}

/** The content with the result of `holder`; unchanged when another replica has taken its place. The oldest results make room. */
export function withResult(
  content: RenewalContent,
  key: string,
  { holder, sealed, untilMs, nowMs }: { holder: string; sealed: string; untilMs: number; nowMs: number },
): RenewalContent {
  const entry = readEntry(content.get(key));
  if (entry?.kind !== 'holder' || entry.holder !== holder) return content;
  const kept = new Map(withoutOld(content, nowMs));
  kept.delete(key);
  const text = JSON.stringify({ until: untilMs, sealed });
  if (text.length > MOST_OF_ONE) return kept;
  return new Map([...fitting(kept, MOST_OF_ALL - text.length), [key, text]]);
}

/** Without results whose time is over, holders that have long died, and what nobody can read. */
function withoutOld(content: RenewalContent, nowMs: number): RenewalContent {
  return new Map([...content].filter(([, text]) => nowMs < endMs(text)));
}

function endMs(text: string): number {
  const entry = readEntry(text);
  if (entry === undefined) return 0;
  return entry.kind === 'result' ? entry.untilMs : entry.sinceMs + 2 * HOLDER_MS;
}

/** Without the entries that end first, until the others have room in `most` characters. */
function fitting(content: RenewalContent, most: number): RenewalContent {
  const kept = new Map<string, string>();
  let size = 0;
  for (const [key, text] of [...content].sort(([, a], [, b]) => endMs(b) - endMs(a))) {
    size += key.length + text.length;
    if (size <= most) kept.set(key, text);
  }
  return kept;
}
