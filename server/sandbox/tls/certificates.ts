import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { type CertificateFacts, certificatePem } from '@/lib/x509/certificate';

/** A certificate and its key, both PEM; the key is a secret. */
export interface KeyPair {
  readonly certificatePem: string;
  readonly keyPem: string;
}

/** A certificate authority. */
export type Authority = KeyPair;

export interface ServerCertificate extends KeyPair {
  readonly caPem: string;
}

/** When a certificate is made and its number (positive, up to 20 bytes). */
export interface Issue {
  readonly nowMs: number;
  readonly serial: Uint8Array;
}

const CA_NAME = 'bravo-sandbox-ca';
const HOUR_MS = 60 * 60 * 1000;
const LIFE_MS = 3650 * 24 * HOUR_MS;
const NAMES = ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc', '127.0.0.1', '::1'];

/** A new certificate authority (ECDSA P-256), valid for ten years. */
export function makeAuthority(issue: Issue): Authority {
  const key = newKey();
  const facts = { ...common(issue), subject: CA_NAME, publicKey: publicKeyOf(key) };
  return { certificatePem: signed({ ...facts, use: { kind: 'authority', keyId: keyId(key) } }, key), keyPem: pem(key) };
}

/**
 * A certificate for a server, signed by the authority.
 *
 * @param names under which clients call it; absent means the sandbox's own addresses
 */
export function makeServerCertificate(
  authority: Authority,
  issue: Issue,
  names: readonly string[] = NAMES,
): ServerCertificate {
  const signer = createPrivateKey(authority.keyPem);
  const key = newKey();
  const facts = { ...common(issue), subject: 'bravo-sandbox', publicKey: publicKeyOf(key) };
  const use = { kind: 'server', names, authorityKeyId: keyId(signer) } as const;
  return { certificatePem: signed({ ...facts, use }, signer), keyPem: pem(key), caPem: authority.certificatePem };
}

/** A certificate with which a client shows who it is, signed by the authority. */
export function makeClientCertificate(authority: Authority, issue: Issue, subject: string): KeyPair {
  const signer = createPrivateKey(authority.keyPem);
  const key = newKey();
  const use = { kind: 'client', authorityKeyId: keyId(signer) } as const;
  const facts = { ...common(issue), subject, publicKey: publicKeyOf(key), use };
  return { certificatePem: signed(facts, signer), keyPem: pem(key) };
}

/** Valid from an hour ago, for clocks that differ a little. */
function common({ nowMs, serial }: Issue) {
  const notBeforeMs = nowMs - HOUR_MS;
  return { issuer: CA_NAME, serial, notBeforeMs, notAfterMs: notBeforeMs + LIFE_MS };
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

/** A new private key (ECDSA P-256) as PKCS 8 text. */
export function newKeyPem(): string {
  return pem(newKey());
}
