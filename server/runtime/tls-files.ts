import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { formatTime, parseTime } from '@/lib/clock/clock';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import type { TlsSettings } from '@/server/config/tls';

/** What the console serves HTTPS with, as PEM. */
export interface ServedPair {
  readonly cert: string;
  readonly key: string;
  /** When the certificate ends, in milliseconds since the epoch. */
  readonly endsMs: number;
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** @throws TerminalError when the files are not a certificate with its key. OpenSSL's own words say nothing about the key. */
export function readPair({ certFile, keyFile }: TlsSettings): ServedPair {
  const [cert, key] = [readText('BRAVO_TLS_CERT', certFile), readText('BRAVO_TLS_KEY', keyFile)];
  let certificate: X509Certificate;
  let fits: boolean;
  try {
    createSecureContext({ cert, key });
    certificate = new X509Certificate(cert);
    fits = certificate.checkPrivateKey(createPrivateKey(key));
  } catch (error) {
    const message = `${certFile} and ${keyFile} are not a certificate and its key in PEM: ${messageOf(error)}.`;
    throw new TerminalError(message, 'BadCertificate', { cause: error });
  }
  if (!fits)
    throw new TerminalError(`The key of ${keyFile} is not that of the certificate of ${certFile}.`, 'BadCertificate');
  return { cert, key, endsMs: parseTime(certificate.validTo) ?? 0 };
}

/** A pair that comes after another one: an expired certificate does not replace one that is valid. @throws TerminalError */
export function checkNewer({ endsMs }: ServedPair, served: ServedPair, { certFile }: TlsSettings, nowMs: number): void {
  if (endsMs > nowMs || served.endsMs <= nowMs) return;
  throw new TerminalError(`The certificate of ${certFile} has expired: ${formatTime(endsMs)}.`, 'ExpiredCertificate');
}

/** The authorities that sign certificates of the proxy, as PEM. @throws TerminalError when the file has none, or something else */
export function readClientCa(path: string): string {
  const text = readText('BRAVO_PROXY_CLIENT_CA', path);
  const blocks = text.match(CERTIFICATE) ?? [];
  if (blocks.length === 0) {
    throw new TerminalError(`BRAVO_PROXY_CLIENT_CA ${path} has no certificate in PEM.`, 'BadCertificate');
  }
  for (const [index, block] of blocks.entries()) checkAuthority(block, `Certificate ${index + 1} of ${path}`);
  return blocks.join('\n');
}

function checkAuthority(pem: string, name: string): void {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(pem);
  } catch (error) {
    throw new TerminalError(`${name} cannot be read: ${messageOf(error)}.`, 'BadCertificate', { cause: error });
  }
  if (certificate.ca) return;
  const message = `${name} is not of an authority (CA:TRUE): give the certificate that signs those of the proxy.`;
  throw new TerminalError(message, 'BadCertificate');
}

function readText(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const message = `${setting} ${path} cannot be read: ${messageOf(error)}.`;
    throw new TerminalError(message, 'NoCertificate', { cause: error });
  }
}
