import { bits, derBoolean, objectId, octets, retagged, sequence } from './der';
import { ipBytes } from './ip-bytes';
import { encodePem } from './pem';
import { commonName, EXTENDED_USES, extension, signCertificate } from './sign-certificate';

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
  readonly use: AuthorityUse | ServerUse | ClientUse;
}

export interface AuthorityUse {
  readonly kind: 'authority';
  readonly keyId: Uint8Array;
}

export interface ServerUse {
  readonly kind: 'server';
  /** DNS names and IP addresses under which clients call the server. */
  readonly names: readonly string[];
  readonly authorityKeyId: Uint8Array;
}

export interface ClientUse {
  readonly kind: 'client';
  readonly authorityKeyId: Uint8Array;
}

const ECDSA_SHA256 = '1.2.840.10045.4.3.2';

/**
 * The certificate as PEM. The caller keeps the keys: `sign` returns the DER signature (ecdsa-with-SHA256) of the bytes that
 * it is given.
 */
export function certificatePem(facts: CertificateFacts, sign: (body: Uint8Array) => Uint8Array): string {
  const { issuer, subject, use, ...fields } = facts;
  const names = { issuer: nameOf(issuer), subject: nameOf(subject) };
  const signer = { algorithm: sequence(objectId(ECDSA_SHA256)), sign };
  return encodePem('CERTIFICATE', signCertificate({ ...fields, ...names, extensions: extensionsOf(use) }, signer));
}

function extensionsOf(use: CertificateFacts['use']): Uint8Array[] {
  if (use.kind === 'authority') {
    return [
      extension('basicConstraints', sequence(derBoolean(true)), 'critical'),
      // digitalSignature, keyCertSign, cRLSign
      extension('keyUsage', bits(Uint8Array.of(0x86), 1), 'critical'),
      extension('subjectKeyId', octets(use.keyId)),
    ];
  }
  return [
    extension('basicConstraints', sequence(), 'critical'),
    // digitalSignature
    extension('keyUsage', bits(Uint8Array.of(0x80), 7), 'critical'),
    extension(
      'extendedKeyUsage',
      sequence(objectId(EXTENDED_USES[use.kind === 'server' ? 'serverAuth' : 'clientAuth'])),
    ),
    ...(use.kind === 'server' ? [extension('subjectAltName', sequence(...use.names.map(alternativeName)))] : []),
    extension('authorityKeyId', sequence(retagged(0, use.authorityKeyId))),
  ];
}

function alternativeName(name: string): Uint8Array {
  const address = ipBytes(name);
  return address === undefined ? retagged(2, new TextEncoder().encode(name)) : retagged(7, address);
}

function nameOf(name: string): Uint8Array {
  return commonName(new TextEncoder().encode(name));
}
