import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { bits, derBoolean, objectId, retagged, sequence } from '@/lib/x509/der';
import { encodePem } from '@/lib/x509/pem';
import { commonName, EXTENDED_USES, extension, signCertificate } from '@/lib/x509/sign-certificate';

const DAY_MS = 86_400_000;
const ECDSA_SHA256 = sequence(objectId('1.2.840.10045.4.3.2'));

export interface ClientCertificateFacts {
  readonly commonName: string;
  readonly dnsNames?: readonly string[];
  readonly use?: keyof typeof EXTENDED_USES;
  /** From now; negative for one that has expired. */
  readonly endsInMs?: number;
}

/** PEM, as `node:https` takes them. */
export interface ClientPair {
  readonly cert: string;
  readonly key: string;
}

export interface ClientAuthority {
  readonly pem: string;
  issue(facts: ClientCertificateFacts): ClientPair;
}

/** An authority that signs certificates of clients. */
export function clientAuthority(name: string, nowMs: number): ClientAuthority {
  const key = newKey();
  const issuer = nameOf(name);
  const make = (fields: { subject: Uint8Array; of: KeyObject; endsMs: number; extensions: Uint8Array[] }) =>
    encodePem(
      'CERTIFICATE',
      signCertificate(
        {
          serial: Uint8Array.from([1, ...randomBytes(15)]),
          notBeforeMs: nowMs - 10 * DAY_MS,
          notAfterMs: fields.endsMs,
          publicKey: createPublicKey(fields.of).export({ type: 'spki', format: 'der' }),
          ...{ issuer, subject: fields.subject, extensions: fields.extensions },
        },
        { algorithm: ECDSA_SHA256, sign: (body) => sign('sha256', body, key) },
      ),
    );
  return {
    pem: make({ subject: issuer, of: key, endsMs: nowMs + 365 * DAY_MS, extensions: authorityExtensions() }),
    issue(facts) {
      const own = newKey();
      const cert = make({
        subject: nameOf(facts.commonName),
        of: own,
        endsMs: nowMs + (facts.endsInMs ?? DAY_MS),
        extensions: clientExtensions(facts),
      });
      return { cert, key: own.export({ type: 'pkcs8', format: 'pem' }).toString() };
    },
  };
}

function authorityExtensions(): Uint8Array[] {
  return [
    extension('basicConstraints', sequence(derBoolean(true)), 'critical'),
    extension('keyUsage', bits(Uint8Array.of(0x86), 1), 'critical'),
  ];
}

function clientExtensions({ dnsNames = [], use = 'clientAuth' }: ClientCertificateFacts): Uint8Array[] {
  const names = dnsNames.map((name) => retagged(2, new TextEncoder().encode(name)));
  return [
    extension('basicConstraints', sequence(), 'critical'),
    extension('extendedKeyUsage', sequence(objectId(EXTENDED_USES[use]))),
    ...(names.length === 0 ? [] : [extension('subjectAltName', sequence(...names))]),
  ];
}

function newKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey;
}

function nameOf(name: string): Uint8Array {
  return commonName(new TextEncoder().encode(name));
}
