import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { rfc3339 } from '@/lib/clock/rfc3339';
import { bits, boolean, context, generalizedTime, integer, objectId, octets, sequence, set, utf8 } from './der';

/** A certificate authority as text; the key is a secret. */
export interface Authority {
  readonly certificatePem: string;
  readonly keyPem: string;
}

export interface ServerCertificate {
  readonly certificatePem: string;
  readonly keyPem: string;
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
const ECDSA_SHA256 = '1.2.840.10045.4.3.2';
const COMMON_NAME = '2.5.4.3';
const SUBJECT_KEY_ID = '2.5.29.14';
const KEY_USAGE = '2.5.29.15';
const SUBJECT_ALT_NAME = '2.5.29.17';
const BASIC_CONSTRAINTS = '2.5.29.19';
const AUTHORITY_KEY_ID = '2.5.29.35';
const EXTENDED_KEY_USAGE = '2.5.29.37';
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';
const DNS_NAMES = ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc'];
const ADDRESSES = [Buffer.from([127, 0, 0, 1]), Buffer.from([...Array<number>(15).fill(0), 1])];

/** A new certificate authority (ECDSA P-256), valid for ten years. */
export function makeAuthority(issue: Issue): Authority {
  const key = newKey();
  const extensions = [
    extension(BASIC_CONSTRAINTS, sequence(boolean(true)), 'critical'),
    // digitalSignature, keyCertSign, cRLSign
    extension(KEY_USAGE, bits(Buffer.from([0x86]), 1), 'critical'),
    extension(SUBJECT_KEY_ID, octets(keyId(key))),
  ];
  const certificatePem = certificate({ issue, subject: CA_NAME, subjectKey: key, signer: key, extensions });
  return { certificatePem, keyPem: pem(key) };
}

/** A certificate for the server's own addresses, signed by the authority. */
export function makeServerCertificate(authority: Authority, issue: Issue): ServerCertificate {
  const signer = createPrivateKey(authority.keyPem);
  const key = newKey();
  const names = [
    ...DNS_NAMES.map((name) => context(2, Buffer.from(name, 'ascii'), 'primitive')),
    ...ADDRESSES.map((address) => context(7, address, 'primitive')),
  ];
  const extensions = [
    extension(BASIC_CONSTRAINTS, sequence(), 'critical'),
    // digitalSignature
    extension(KEY_USAGE, bits(Buffer.from([0x80]), 7), 'critical'),
    extension(EXTENDED_KEY_USAGE, sequence(objectId(SERVER_AUTH))),
    extension(SUBJECT_ALT_NAME, sequence(...names)),
    extension(AUTHORITY_KEY_ID, sequence(context(0, keyId(signer), 'primitive'))),
  ];
  const certificatePem = certificate({ issue, subject: 'bravo-sandbox', subjectKey: key, signer, extensions });
  return { certificatePem, keyPem: pem(key), caPem: authority.certificatePem };
}

interface CertificateParts {
  readonly issue: Issue;
  readonly subject: string;
  readonly subjectKey: KeyObject;
  readonly signer: KeyObject;
  readonly extensions: readonly Buffer[];
}

/** RFC 5280, version 3. Valid from an hour ago, for clocks that differ a little. */
function certificate({ issue, subject, subjectKey, signer, extensions }: CertificateParts): string {
  const algorithm = sequence(objectId(ECDSA_SHA256));
  const start = issue.nowMs - HOUR_MS;
  const body = sequence(
    context(0, integer(Buffer.from([2])), 'constructed'),
    integer(issue.serial),
    algorithm,
    name(CA_NAME),
    sequence(generalizedTime(rfc3339(start)), generalizedTime(rfc3339(start + LIFE_MS))),
    name(subject),
    createPublicKey(subjectKey).export({ type: 'spki', format: 'der' }),
    context(3, sequence(...extensions), 'constructed'),
  );
  const signed = sequence(body, algorithm, bits(sign('sha256', body, signer)));
  const lines = signed.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function name(commonName: string): Buffer {
  return sequence(set(sequence(objectId(COMMON_NAME), utf8(commonName))));
}

function extension(id: string, value: Buffer, critical?: 'critical'): Buffer {
  const flag = critical === undefined ? [] : [boolean(true)];
  return sequence(objectId(id), ...flag, octets(value));
}

function newKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey;
}

function keyId(key: KeyObject): Buffer {
  return createHash('sha1')
    .update(createPublicKey(key).export({ type: 'spki', format: 'der' }))
    .digest();
}

function pem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** A new private key (ECDSA P-256) as PKCS 8 text. */
export function newKeyPem(): string {
  return pem(newKey());
}
