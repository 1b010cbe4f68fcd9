import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import { unauthorized } from '../errors/status';
import { anonymousUser, authenticated, type UserInfo } from '../rbac/user';

/** Finds the user of a bearer token, or undefined. */
export type BearerTokenReader = (token: string) => UserInfo | undefined;

/** The user of a request: by client certificate, by bearer token, or anonymous. 401 for an unknown token. */
export function authenticate(request: IncomingMessage, readers: readonly BearerTokenReader[]): UserInfo {
  const certified = certifiedUser(request);
  if (certified !== undefined) return authenticated(certified);
  const header = request.headers.authorization;
  if (header === undefined || header === '') return anonymousUser;
  const match = /^bearer +(\S+)$/i.exec(header.trim());
  if (match?.[1] === undefined) return anonymousUser;
  for (const read of readers) {
    const user = read(match[1]);
    if (user !== undefined) return authenticated(user);
  }
  throw unauthorized();
}

/** A reader of a fixed set of tokens; the comparison takes the same time wherever they differ. */
export function staticTokens(users: ReadonlyMap<string, UserInfo>): BearerTokenReader {
  const entries = [...users].map(([token, user]) => ({ token: Buffer.from(token), user }));
  return (given) => {
    const bytes = Buffer.from(given);
    return entries.find(({ token }) => token.length === bytes.length && timingSafeEqual(token, bytes))?.user;
  };
}

/** CN is the user, each O a group; only certificates of the sandbox's own authority count. */
function certifiedUser({ socket }: IncomingMessage): UserInfo | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  // Null when the client has gone meanwhile, which Node's types leave out.
  const certificate = socket.getPeerCertificate() as ReturnType<TLSSocket['getPeerCertificate']> | null;
  const subject = certificate?.subject as { CN?: string; O?: string | string[] } | undefined;
  if (subject?.CN === undefined) return undefined;
  const groups = subject.O === undefined ? [] : Array.isArray(subject.O) ? subject.O : [subject.O];
  return { name: subject.CN, uid: '', groups, extra: {} };
}
