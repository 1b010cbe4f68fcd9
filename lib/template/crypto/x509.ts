import { sha1 } from '@noble/hashes/legacy.js';
import { formatTime } from '../dates/format';
import { GoError } from '../template-error';
import { toArray } from '../value/bytes';
import { GoTime, UTC } from '../value/time';
import {
  type Bytes,
  bitString,
  element,
  integer,
  objectId,
  octets,
  readElements,
  readSequence,
  sequence,
  TRUE,
} from './der';
import { type PrivateKey, publicKeyInfo, sign, signatureAlgorithm } from './keys';

/** What a certificate is to say; names and times as Sprig sets them. */
export interface CertificateRequest {
  readonly commonName: string;
  readonly serial: bigint;
  /** Seconds since 1970. */
  readonly notBefore: number;
  readonly notAfter: number;
  readonly addresses: readonly Bytes[];
  readonly dnsNames: readonly string[];
  readonly isCa: boolean;
}

/** Whoever signs: itself, or a parsed certificate. */
export interface Issuer {
  /** The subject in DER; undefined for a self-signed certificate. */
  readonly subject: Bytes | undefined;
  readonly keyId: Bytes | undefined;
  readonly key: PrivateKey;
}

/** Go's x509.CreateCertificate for the extensions that Sprig uses. */
export function createCertificate(request: CertificateRequest, key: PrivateKey, issuer: Issuer): Bytes {
  const subject = encodeName(request.commonName);
  const issuerName = issuer.subject ?? subject;
  const { info, bits } = publicKeyInfo(key);
  const algorithm = signatureAlgorithm(issuer.key);
  const isSelf = String(issuerName) === String(subject);
  const body = sequence(
    element(0xa0, integer(2n)),
    integer(request.serial),
    algorithm,
    issuerName,
    sequence(encodeTime(request.notBefore), encodeTime(request.notAfter)),
    subject,
    info,
    element(0xa3, sequence(...extensions(request, bits, isSelf ? undefined : issuer.keyId))),
  );
  return sequence(body, algorithm, bitString(sign(issuer.key, body)));
}

function encodeName(commonName: string): Bytes {
  if (commonName === '') return sequence();
  const isPrintable = /^[A-Za-z0-9 '()+,\-./:=?*&]*$/.test(commonName);
  const text = element(isPrintable ? 0x13 : 0x0c, toArray(commonName));
  return sequence(element(0x31, sequence(objectId('2.5.4.3'), text)));
}

function encodeTime(seconds: number): Bytes {
  const time = new GoTime(seconds, 0, UTC);
  const year = Number(formatTime(time, '2006'));
  const isShort = year >= 1950 && year < 2050;
  return element(isShort ? 0x17 : 0x18, toArray(formatTime(time, isShort ? '060102150405Z' : '20060102150405Z')));
}

function extensions(request: CertificateRequest, publicKey: Bytes, issuerKeyId: Bytes | undefined): Bytes[] {
  // Digital signature and key encipherment, for an authority also the signing of certificates.
  const usage = request.isCa ? bitString(Uint8Array.of(0xa4), 2) : bitString(Uint8Array.of(0xa0), 5);
  const result = [
    extension('2.5.29.15', usage, true),
    extension('2.5.29.37', sequence(objectId('1.3.6.1.5.5.7.3.1'), objectId('1.3.6.1.5.5.7.3.2')), false),
    extension('2.5.29.19', request.isCa ? sequence(TRUE) : sequence(), true),
  ];
  if (request.isCa) result.push(extension('2.5.29.14', octets(sha1(publicKey)), false));
  if (issuerKeyId !== undefined) result.push(extension('2.5.29.35', sequence(element(0x80, issuerKeyId)), false));
  const names = [
    ...request.dnsNames.map((name) => element(0x82, toArray(name))),
    ...request.addresses.map((address) => element(0x87, address)),
  ];
  if (names.length > 0) result.push(extension('2.5.29.17', sequence(...names), request.commonName === ''));
  return result;
}

function extension(id: string, value: Bytes, isCritical: boolean): Bytes {
  return sequence(objectId(id), ...(isCritical ? [TRUE] : []), octets(value));
}

export interface ParsedCertificate {
  readonly subject: Bytes;
  readonly keyId: Bytes | undefined;
  readonly publicKeyInfo: Bytes;
}

/** Reads what is needed to sign with a certificate. @throws GoError when it is none */
export function parseCertificate(bytes: Bytes): ParsedCertificate {
  const [body, , signature] = readSequence(bytes) ?? [];
  const members = body?.tag === 0x30 && signature?.tag === 3 ? readElements(body.content) : undefined;
  if (members === undefined) throw new GoError('x509: malformed certificate');
  const hasVersion = members[0]?.tag === 0xa0;
  const [serial, algorithm, issuer, validity, subject, info, ...rest] = hasVersion ? members.slice(1) : members;
  const isWhole = serial?.tag === 2 && [algorithm, issuer, validity, subject, info].every((each) => each?.tag === 0x30);
  if (!isWhole || subject === undefined || info === undefined) throw new GoError('x509: malformed certificate');
  const list = rest.find(({ tag }) => tag === 0xa3);
  return {
    subject: subject.whole,
    publicKeyInfo: info.whole,
    keyId: list === undefined ? undefined : findKeyId(list.content),
  };
}

function findKeyId(list: Bytes): Bytes | undefined {
  const wanted = String(objectId('2.5.29.14'));
  for (const each of readSequence(list) ?? []) {
    const parts = readElements(each.content) ?? [];
    const value = parts.at(-1);
    if (String(parts[0]?.whole) === wanted && value !== undefined) return readElements(value.content)?.[0]?.content;
  }
  return undefined;
}
