import { createHash, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import { PROXY_SECRET_HEADER, type ProxySettings } from '@/server/config/auth';
import { trustedPerson } from './claimed-person';
import type { Person } from './claims';

/** How a request proves that it is the proxy's. Each that is set is needed; without any nobody is believed. */
export interface ProxyProofs {
  /** What it sends in {@link PROXY_SECRET_HEADER}. */
  readonly secret: string | undefined;
  /** Whether a connection showed the proxy's certificate. */
  readonly showsCertificate: ((socket: Socket) => boolean) | undefined;
}

/** The shared secret of the file. @throws TerminalError with one sentence when it cannot be read, or is too short */
export function readProxySecret(secretFile: string): string {
  let secret: string;
  try {
    secret = readFileSync(secretFile, 'utf8').trim();
  } catch (error) {
    const message = `BRAVO_PROXY_SECRET_FILE ${secretFile} cannot be read: ${messageOf(error)}.`;
    throw new TerminalError(message, 'NoProxySecret', { cause: error });
  }
  if (secret.length >= 16) return secret;
  throw new TerminalError(
    `The secret in ${secretFile} has fewer than 16 characters. Make one: openssl rand -hex 32.`,
    'ShortProxySecret',
  );
}

/**
 * The person whom the proxy names; undefined when the request is not the proxy's: another address, without a proof that is needed, no
 * user or two. The headers are taken away in any case.
 *
 * @throws Refusal 403 for a name of Kubernetes itself
 */
export function proxyPerson(
  request: IncomingMessage,
  settings: ProxySettings,
  proofs: ProxyProofs,
): Person | undefined {
  const { userHeader, groupsHeader, addresses } = settings;
  const values = (name: string) => request.headersDistinct[name] ?? [];
  const [users, groups, secrets] = [values(userHeader), values(groupsHeader), values(PROXY_SECRET_HEADER)];
  for (const name of [userHeader, groupsHeader, PROXY_SECRET_HEADER]) delete request.headers[name];
  if (!isFrom(request.socket.remoteAddress, addresses) || !isProven(request.socket, secrets, proofs)) return undefined;
  const [user] = users;
  if (user === undefined || users.length > 1) return undefined;
  // Node reads header bytes as latin1; names are UTF-8.
  const text = (value: string) => Buffer.from(value, 'latin1').toString('utf8').trim();
  return trustedPerson(text(user), groups.flatMap((value) => value.split(',')).map(text));
}

function isProven(socket: Socket, secrets: readonly string[], { secret, showsCertificate }: ProxyProofs): boolean {
  const [given] = secrets;
  if (secret === undefined && showsCertificate === undefined) return false;
  if (secret !== undefined && (given === undefined || secrets.length > 1 || !isSame(given, secret))) return false;
  return showsCertificate === undefined || showsCertificate(socket);
}

/** True when an address of a socket is in a list. An IPv4 address of an IPv6 socket counts as what it is. */
export function isFrom(address: string | undefined, list: ProxySettings['addresses']): boolean {
  const plain = (address ?? '').replace(/^::ffff:(?=\d+\.)/i, '');
  const family = isIP(plain);
  return family !== 0 && list.check(plain, family === 4 ? 'ipv4' : 'ipv6');
}

function isSame(given: string, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(secret));
}
