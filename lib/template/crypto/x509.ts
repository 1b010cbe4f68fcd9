import { sha1 } from '@noble/hashes/legacy.js';
import { bits, derBoolean, objectId, octets, retagged, sequence } from '@/lib/x509/der';
import { type DerElement, readElements, readSequence } from '@/lib/x509/read-der';
import { commonName, EXTENDED_USES, extension, signCertificate } from '@/lib/x509/sign-certificate';
import type { CallContext } from '../functions/define';
import { GoError } from '../template-error';
import { toArray } from '../value/bytes';
import { type PrivateKey, publicKeyInfo, sign, signatureAlgorithm } from './keys';

/** What a certificate says; names and times as Sprig sets them. */
export interface CertificateRequest {
  /** Byte strings, as all text of templates. */
  readonly commonName: string;
  readonly dnsNames: readonly string[];
  /** 4 or 16 bytes each. */
  readonly addresses: readonly Uint8Array[];
  readonly serial: bigint;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  readonly isCa: boolean;
}

/** Who signs: the key itself, or a parsed certificate. */
export interface Issuer {
  /** The subject in DER; undefined for a self-signed certificate. */
  readonly subject: Uint8Array | undefined;
  readonly keyId: Uint8Array | undefined;
  readonly key: PrivateKey;
}

/** Go's x509.CreateCertificate with the extensions that Sprig uses, in DER. */
export function createCertificate(
  context: CallContext,
  request: CertificateRequest,
  key: PrivateKey,
  issuer: Issuer,
): Uint8Array {
  const subject = commonName(toArray(request.commonName));
  const issuerName = issuer.subject ?? subject;
  const { info, content } = publicKeyInfo(key);
  const isSelfIssued = String(issuerName) === String(subject);
  const extensions = extensionsOf(request, content, isSelfIssued ? undefined : issuer.keyId);
  const { serial, notBeforeMs, notAfterMs } = request;
  return signCertificate(
    { serial, notBeforeMs, notAfterMs, issuer: issuerName, subject, publicKey: info, extensions },
    { algorithm: signatureAlgorithm(issuer.key), sign: (body) => sign(context, issuer.key, body) },
  );
}

function extensionsOf(request: CertificateRequest, publicKey: Uint8Array, issuerKeyId: Uint8Array | undefined) {
  // digitalSignature and keyEncipherment; an authority also gets keyCertSign.
  const usage = request.isCa ? bits(Uint8Array.of(0xa4), 2) : bits(Uint8Array.of(0xa0), 5);
  const uses = [EXTENDED_USES.serverAuth, EXTENDED_USES.clientAuth].map(objectId);
  const result = [
    extension('keyUsage', usage, 'critical'),
    extension('extendedKeyUsage', sequence(...uses)),
    extension('basicConstraints', request.isCa ? sequence(derBoolean(true)) : sequence(), 'critical'),
  ];
  if (request.isCa) result.push(extension('subjectKeyId', octets(sha1(publicKey))));
  if (issuerKeyId !== undefined) result.push(extension('authorityKeyId', sequence(retagged(0, issuerKeyId))));
  const names = [
    ...request.dnsNames.map((name) => retagged(2, toArray(name))),
    ...request.addresses.map((address) => retagged(7, address)),
  ];
  const importance = request.commonName === '' ? 'critical' : 'optional';
  if (names.length > 0) result.push(extension('subjectAltName', sequence(...names), importance));
  return result;
}

/** What is needed of a certificate to sign with it; all in DER. */
export interface ParsedCertificate {
  readonly subject: Uint8Array;
  readonly keyId: Uint8Array | undefined;
  readonly publicKeyInfo: Uint8Array;
}

/** @throws GoError when the bytes are not a certificate */
export function parseCertificate(bytes: Uint8Array): ParsedCertificate {
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
    keyId: list === undefined ? undefined : findKeyId(readSequence(list.content) ?? []),
  };
}

function findKeyId(extensions: readonly DerElement[]): Uint8Array | undefined {
  const wanted = String(objectId('2.5.29.14'));
  for (const each of extensions) {
    const parts = readElements(each.content) ?? [];
    const value = parts.at(-1);
    if (String(parts[0]?.whole) === wanted && value !== undefined) return readElements(value.content)?.[0]?.content;
  }
  return undefined;
}
