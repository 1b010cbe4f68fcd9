import { rfc3339 } from '@/lib/clock/rfc3339';
import { bits, boolean, context, generalizedTime, integer, objectId, octets, sequence, set, utf8 } from './der';
import { ipBytes } from './ip-bytes';

/** What a certificate says (RFC 5280, version 3), for an ECDSA P-256 key that signs it. */
export interface CertificateFacts {
  readonly subject: string;
  /** The subject of the authority that signs; its own for an authority. */
  readonly issuer: string;
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Uint8Array;
  /** Positive, up to 20 bytes. */
  readonly serial: Uint8Array;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  readonly use: AuthorityUse | ServerUse;
}

export interface AuthorityUse {
  readonly kind: 'authority';
  readonly keyId: Uint8Array;
}

export interface ServerUse {
  readonly kind: 'server';
  /** DNS names and IP addresses under which the server is called. */
  readonly names: readonly string[];
  readonly authorityKeyId: Uint8Array;
}

const ECDSA_SHA256 = '1.2.840.10045.4.3.2';
const COMMON_NAME = '2.5.4.3';
const SUBJECT_KEY_ID = '2.5.29.14';
const KEY_USAGE = '2.5.29.15';
const SUBJECT_ALT_NAME = '2.5.29.17';
const BASIC_CONSTRAINTS = '2.5.29.19';
const AUTHORITY_KEY_ID = '2.5.29.35';
const EXTENDED_KEY_USAGE = '2.5.29.37';
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';

/**
 * The certificate as PEM. Keys stay with the caller: `sign` gives the DER signature (ecdsa-with-SHA256) of the bytes it is
 * shown.
 */
export function certificatePem(facts: CertificateFacts, sign: (body: Uint8Array) => Uint8Array): string {
  const algorithm = sequence(objectId(ECDSA_SHA256));
  const body = sequence(
    context(0, integer(Uint8Array.of(2)), 'constructed'),
    integer(facts.serial),
    algorithm,
    name(facts.issuer),
    sequence(generalizedTime(rfc3339(facts.notBeforeMs)), generalizedTime(rfc3339(facts.notAfterMs))),
    name(facts.subject),
    facts.publicKey,
    context(3, sequence(...extensionsOf(facts.use)), 'constructed'),
  );
  const text = btoa(String.fromCharCode(...sequence(body, algorithm, bits(sign(body)))));
  return `-----BEGIN CERTIFICATE-----\n${(text.match(/.{1,64}/g) ?? []).join('\n')}\n-----END CERTIFICATE-----\n`;
}

function extensionsOf(use: AuthorityUse | ServerUse): Uint8Array[] {
  if (use.kind === 'authority') {
    return [
      extension(BASIC_CONSTRAINTS, sequence(boolean(true)), 'critical'),
      // digitalSignature, keyCertSign, cRLSign
      extension(KEY_USAGE, bits(Uint8Array.of(0x86), 1), 'critical'),
      extension(SUBJECT_KEY_ID, octets(use.keyId)),
    ];
  }
  return [
    extension(BASIC_CONSTRAINTS, sequence(), 'critical'),
    // digitalSignature
    extension(KEY_USAGE, bits(Uint8Array.of(0x80), 7), 'critical'),
    extension(EXTENDED_KEY_USAGE, sequence(objectId(SERVER_AUTH))),
    extension(SUBJECT_ALT_NAME, sequence(...use.names.map(alternativeName))),
    extension(AUTHORITY_KEY_ID, sequence(context(0, use.authorityKeyId, 'primitive'))),
  ];
}

function alternativeName(text: string): Uint8Array {
  const address = ipBytes(text);
  return address === undefined
    ? context(2, new TextEncoder().encode(text), 'primitive')
    : context(7, address, 'primitive');
}

function name(commonName: string): Uint8Array {
  return sequence(set(sequence(objectId(COMMON_NAME), utf8(commonName))));
}

function extension(id: string, value: Uint8Array, critical?: 'critical'): Uint8Array {
  const flag = critical === undefined ? [] : [boolean(true)];
  return sequence(objectId(id), ...flag, octets(value));
}
