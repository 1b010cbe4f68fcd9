import { bits, derBoolean, derInteger, derSet, objectId, octets, sequence, tagged, text, time } from './der';

/** The fields of a certificate (RFC 5280, version 3). What is DER is a whole element. */
export interface CertificateFields {
  /** Positive, up to 20 bytes. */
  readonly serial: bigint | Uint8Array;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  /** A Name in DER, see {@link commonName}. */
  readonly issuer: Uint8Array;
  readonly subject: Uint8Array;
  /** SubjectPublicKeyInfo in DER. */
  readonly publicKey: Uint8Array;
  /** In DER, see {@link extension}. */
  readonly extensions: readonly Uint8Array[];
}

/** How a certificate is signed: AlgorithmIdentifier in DER, and the signature of the bytes that it is given. */
export interface CertificateSigner {
  readonly algorithm: Uint8Array;
  sign(body: Uint8Array): Uint8Array;
}

/** The signed certificate in DER. */
export function signCertificate(fields: CertificateFields, signer: CertificateSigner): Uint8Array {
  const body = sequence(
    tagged(0, derInteger(2n)),
    derInteger(fields.serial),
    signer.algorithm,
    fields.issuer,
    sequence(time(fields.notBeforeMs), time(fields.notAfterMs)),
    fields.subject,
    fields.publicKey,
    tagged(3, sequence(...fields.extensions)),
  );
  return sequence(body, signer.algorithm, bits(signer.sign(body)));
}

/** A Name of one common name; an empty Name for empty text. `name` is UTF-8. */
export function commonName(name: Uint8Array): Uint8Array {
  return name.length === 0 ? sequence() : sequence(derSet(sequence(objectId('2.5.4.3'), text(name))));
}

/** The extensions that are used here (RFC 5280 §4.2.1). */
const EXTENSION_IDS = {
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyId: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
} as const;

export const EXTENDED_USES = { serverAuth: '1.3.6.1.5.5.7.3.1', clientAuth: '1.3.6.1.5.5.7.3.2' } as const;

/** @param value the extension's own DER */
export function extension(
  name: keyof typeof EXTENSION_IDS,
  value: Uint8Array,
  importance: 'critical' | 'optional' = 'optional',
): Uint8Array {
  const flag = importance === 'critical' ? [derBoolean(true)] : [];
  return sequence(objectId(EXTENSION_IDS[name]), ...flag, octets(value));
}
