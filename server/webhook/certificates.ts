import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  X509Certificate,
} from 'node:crypto';
import { isIP } from 'node:net';
import { parseTime } from '@/lib/clock/clock';
import type { Random } from '@/lib/random/random';
import { type CertificateFacts, certificatePem } from '@/lib/x509/certificate';

/** What the webhook serves with, and what it makes the next certificate with. PEM text; both keys are secrets. */
export interface CertificateSet {
  /** The authority in force first, then former ones that are still valid: this is the `caBundle`. */
  readonly caBundlePem: string;
  readonly caKeyPem: string;
  readonly certificatePem: string;
  readonly keyPem: string;
}

export interface CertificateNeeds {
  /** DNS names and IP addresses under which the API server calls the webhook. */
  readonly names: readonly string[];
  readonly nowMs: number;
  readonly random: Random;
}

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;
/** An authority signs for three years and is replaced one year before its end. */
const AUTHORITY = { lifeMs: 1_095 * DAY_MS, renewMs: 365 * DAY_MS } as const;
/** A serving certificate is valid for 60 days and is replaced 20 days before its end (KUDO's: one week, never replaced). */
const SERVING = { lifeMs: 60 * DAY_MS, renewMs: 20 * DAY_MS } as const;
const CA_NAME = 'bravo-webhook-ca';

/**
 * The certificates as they have to be now: the same object as long as nothing is due, else with a new serving certificate,
 * or all new. A former authority stays in the bundle while it is valid, so that a replica that still serves with its
 * certificate is trusted. Anything that cannot be read or does not fit together is made anew.
 */
export function keepCertificates(current: CertificateSet | undefined, needs: CertificateNeeds): CertificateSet {
  const authority = readAuthority(current, needs.nowMs);
  if (authority === undefined) return makeAll(current, needs);
  if (current !== undefined && servesStill(current, authority.certificate, needs)) return current;
  const { caBundlePem, caKeyPem } = authority;
  return { caBundlePem, caKeyPem, ...makeServing(authority.key, needs) };
}

interface ReadAuthority {
  readonly caBundlePem: string;
  readonly caKeyPem: string;
  readonly certificate: X509Certificate;
  readonly key: KeyObject;
}

function readAuthority(current: CertificateSet | undefined, nowMs: number): ReadAuthority | undefined {
  if (current === undefined) return undefined;
  const { caBundlePem, caKeyPem } = current;
  try {
    const certificate = new X509Certificate(caBundlePem);
    const key = createPrivateKey(caKeyPem);
    const isGood = certificate.ca && certificate.checkPrivateKey(key) && isFresh(certificate, nowMs, AUTHORITY.renewMs);
    return isGood ? { caBundlePem, caKeyPem, certificate, key } : undefined;
  } catch {
    return undefined;
  }
}

function servesStill(set: CertificateSet, authority: X509Certificate, { names, nowMs }: CertificateNeeds): boolean {
  try {
    const certificate = new X509Certificate(set.certificatePem);
    return (
      certificate.checkPrivateKey(createPrivateKey(set.keyPem)) &&
      certificate.verify(authority.publicKey) &&
      isFresh(certificate, nowMs, SERVING.renewMs) &&
      names.every((name) => (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined)
    );
  } catch {
    return false;
  }
}

/** When a certificate ends, in wall milliseconds; 0 when it cannot be read. */
export function endOfCertificate(certificatePem: string): number {
  try {
    return parseTime(new X509Certificate(certificatePem).validTo) ?? 0;
  } catch {
    return 0;
  }
}

/** Valid already, and for longer than the time in which it is to be replaced. */
function isFresh(certificate: X509Certificate, nowMs: number, renewMs: number): boolean {
  const fromMs = parseTime(certificate.validFrom) ?? Number.POSITIVE_INFINITY;
  const toMs = parseTime(certificate.validTo) ?? 0;
  return fromMs <= nowMs && toMs - nowMs > renewMs;
}

function makeAll(former: CertificateSet | undefined, needs: CertificateNeeds): CertificateSet {
  const key = newKey();
  const facts = { ...common(needs, AUTHORITY.lifeMs), subject: CA_NAME, publicKey: publicKeyOf(key) };
  const authorityPem = signed({ ...facts, use: { kind: 'authority', keyId: keyId(key) } }, key);
  const caBundlePem = [authorityPem, ...formerAuthorities(former, needs.nowMs)].join('');
  return { caBundlePem, caKeyPem: pem(key), ...makeServing(key, needs) };
}

function formerAuthorities(former: CertificateSet | undefined, nowMs: number): string[] {
  const blocks = former?.caBundlePem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g) ?? [];
  return blocks.filter((block) => {
    try {
      const certificate = new X509Certificate(block);
      return certificate.ca && isFresh(certificate, nowMs, 0);
    } catch {
      return false;
    }
  });
}

function makeServing(signer: KeyObject, needs: CertificateNeeds): Pick<CertificateSet, 'certificatePem' | 'keyPem'> {
  const key = newKey();
  const facts = { ...common(needs, SERVING.lifeMs), subject: 'bravo-webhook', publicKey: publicKeyOf(key) };
  const use = { kind: 'server', names: needs.names, authorityKeyId: keyId(signer) } as const;
  return { certificatePem: signed({ ...facts, use }, signer), keyPem: pem(key) };
}

/** Valid from an hour ago, for clocks that differ a little. */
function common({ nowMs, random }: CertificateNeeds, lifeMs: number) {
  const serial = Uint8Array.from([1, ...random.bytes(15)]);
  return { issuer: CA_NAME, serial, notBeforeMs: nowMs - HOUR_MS, notAfterMs: nowMs + lifeMs };
}

function signed(facts: CertificateFacts, signer: KeyObject): string {
  return certificatePem(facts, (body) => sign('sha256', body, signer));
}

function newKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey;
}

function publicKeyOf(key: KeyObject): Buffer {
  return createPublicKey(key).export({ type: 'spki', format: 'der' });
}

function keyId(key: KeyObject): Buffer {
  return createHash('sha1').update(publicKeyOf(key)).digest();
}

function pem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}
