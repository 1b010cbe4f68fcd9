import { bytesToNumberBE } from '@noble/curves/utils.js';
import { ipBytes } from '@/lib/x509/ip-bytes';
import { encodePem } from '@/lib/x509/pem';
import { decodeKey } from '../crypto/decode-key';
import { encodeKey, generateRsaKey, type PrivateKey, publicKeyInfo } from '../crypto/keys';
import { decodePem } from '../crypto/pem';
import { type CertificateRequest, createCertificate, type Issuer, parseCertificate } from '../crypto/x509';
import { decodeBase64 } from '../encoding/base64';
import { formatValue } from '../format/print';
import { GoError } from '../template-error';
import { Certificate } from '../value/certificate';
import type { GoSlice } from '../value/value';
import { type CallContext, fn, type GoFunctionTable } from './define';

const RSA_COST = 60_000;
const DAY_MS = 86_400_000;
/** ASN.1 can write the years 0 to 9999. */
const [FIRST_MS, LAST_MS] = [-62_167_219_200_000, 253_402_300_799_000];
const UNREPRESENTABLE = 'asn1: structure error: cannot represent time as GeneralizedTime';

/** Sprig's certificates: 2048-bit RSA keys from the run's random source, or a given key. */
export const certificateFunctions: GoFunctionTable = {
  buildCustomCert: fn(['string', 'string'], (_, certificate, key) => buildCustom(certificate, key)),
  genCA: fn(['string', 'int'], (context, commonName, days) =>
    selfSigned(context, { ...request(context, { commonName, days }), isCa: true }, newKey(context)),
  ),
  genCAWithKey: fn(['string', 'int', 'string'], (context, commonName, days, pem) => {
    const key = givenKey(pem);
    return selfSigned(context, { ...request(context, { commonName, days }), isCa: true }, key);
  }),
  genSelfSignedCert: fn(['string', 'list', 'list', 'int'], (context, ...[commonName, ips, dnsNames, days]) =>
    selfSigned(context, request(context, { commonName, ips, dnsNames, days }), newKey(context)),
  ),
  genSelfSignedCertWithKey: fn(
    ['string', 'list', 'list', 'int', 'string'],
    (context, ...[commonName, ips, dnsNames, days, pem]) => {
      const key = givenKey(pem);
      return selfSigned(context, request(context, { commonName, ips, dnsNames, days }), key);
    },
  ),
  genSignedCert: fn(
    ['string', 'list', 'list', 'int', 'certificate'],
    (context, ...[commonName, ips, dnsNames, days, ca]) =>
      signedBy(context, ca, request(context, { commonName, ips, dnsNames, days }), newKey(context)),
  ),
  genSignedCertWithKey: fn(
    ['string', 'list', 'list', 'int', 'certificate', 'string'],
    (context, ...[commonName, ips, dnsNames, days, ca, pem]) => {
      const key = givenKey(pem);
      return signedBy(context, ca, request(context, { commonName, ips, dnsNames, days }), key);
    },
  ),
};

function newKey(context: CallContext): PrivateKey {
  context.budget.step(RSA_COST);
  return generateRsaKey(context, 2048);
}

function givenKey(pem: string): PrivateKey {
  try {
    return decodeKey(pem);
  } catch (error) {
    throw prefixed('parsing private key', error);
  }
}

function prefixed(what: string, error: unknown): unknown {
  return error instanceof GoError ? new GoError(`${what}: ${error.message}`) : error;
}

/** What a template asks for in a certificate. */
interface WantedCertificate {
  readonly commonName: string;
  readonly days: number;
  readonly ips?: GoSlice;
  readonly dnsNames?: GoSlice;
}

function request(context: CallContext, { commonName, days, ips, dnsNames }: WantedCertificate): CertificateRequest {
  const addresses = (ips?.items ?? []).map((ip): Uint8Array => {
    const shown = ip === null || ip === undefined ? '<nil>' : formatValue(ip, context.budget);
    if (typeof ip !== 'string') throw new GoError(`error parsing ip: ${shown} is not a string`);
    const address = ipBytes(ip);
    if (address === undefined) throw new GoError(`error parsing ip: ${shown}`);
    return address;
  });
  const names = (dnsNames?.items ?? []).map((name) => {
    if (typeof name === 'string') return name;
    const shown = name === null || name === undefined ? '<nil>' : formatValue(name, context.budget);
    throw new GoError(`error processing alternate dns name: ${shown} is not a string`);
  });
  const notBeforeMs = context.environment.clock.now();
  const notAfterMs = notBeforeMs + days * DAY_MS;
  if (notAfterMs < FIRST_MS || notAfterMs > LAST_MS)
    throw new GoError(`error creating certificate: ${UNREPRESENTABLE}`);
  return {
    commonName,
    serial: bytesToNumberBE(context.environment.random.bytes(16)),
    notBeforeMs,
    notAfterMs,
    addresses,
    dnsNames: names,
    isCa: false,
  };
}

function selfSigned(context: CallContext, wanted: CertificateRequest, key: PrivateKey): Certificate {
  return issue(context, wanted, key, { subject: undefined, keyId: undefined, key });
}

function issue(context: CallContext, wanted: CertificateRequest, key: PrivateKey, issuer: Issuer): Certificate {
  return new Certificate(encodePem('CERTIFICATE', createCertificate(context, wanted, key, issuer)), encodeKey(key));
}

function signedBy(context: CallContext, ca: Certificate, wanted: CertificateRequest, key: PrivateKey): Certificate {
  const block = decodePem(ca.certificate);
  if (block === undefined) throw new GoError('unable to decode certificate');
  const parent = parsed(block.bytes);
  let signingKey: PrivateKey;
  try {
    signingKey = decodeKey(ca.key);
  } catch (error) {
    throw prefixed('error parsing private key', error);
  }
  if (String(publicKeyInfo(signingKey).info) !== String(parent.publicKeyInfo)) {
    throw new GoError("error creating certificate: x509: provided PrivateKey doesn't match parent's PublicKey");
  }
  return issue(context, wanted, key, { subject: parent.subject, keyId: parent.keyId, key: signingKey });
}

function parsed(bytes: Uint8Array): ReturnType<typeof parseCertificate> {
  try {
    return parseCertificate(bytes);
  } catch (error) {
    throw prefixed('error parsing certificate: decodedSignerCert.Bytes', error);
  }
}

function buildCustom(certificate64: string, key64: string): Certificate {
  const certificate = decoded(certificate64, 'unable to decode base64 certificate');
  const key = decoded(key64, 'unable to decode base64 private key');
  const block = decodePem(certificate);
  if (block === undefined) throw new GoError('unable to decode certificate');
  try {
    parseCertificate(block.bytes);
  } catch (error) {
    throw prefixed('error parsing certificate: decodedCert.Bytes', error);
  }
  try {
    decodeKey(key);
  } catch (error) {
    throw prefixed('error parsing private key', error);
  }
  return new Certificate(certificate, key);
}

function decoded(text: string, problem: string): string {
  try {
    return decodeBase64(text);
  } catch (error) {
    throw error instanceof GoError ? new GoError(problem) : error;
  }
}
