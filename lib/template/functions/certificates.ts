import { type Bytes, bytesToBig } from '../crypto/der';
import { parseIp } from '../crypto/ip';
import { decodeKey, encodeKey, type PrivateKey, publicKeyInfo } from '../crypto/keys';
import { decodePem, encodePem } from '../crypto/pem';
import { generateRsaKey } from '../crypto/rsa';
import { type CertificateRequest, createCertificate, type Issuer, parseCertificate } from '../crypto/x509';
import { decodeBase64 } from '../encoding/base64';
import { formatValue } from '../format/print';
import { GoError } from '../template-error';
import { Certificate } from '../value/certificate';
import type { GoSlice } from '../value/value';
import { type CallContext, type FunctionTable, fn } from './define';

const RSA_COST = 60_000;
const DAY_SECONDS = 86_400;

/** Sprig's certificates: 2048-bit RSA keys from the run's random source, or a given key. */
export const certificateFunctions: FunctionTable = {
  buildCustomCert: fn(['string', 'string'], (_, certificate, key) => buildCustom(certificate, key)),
  genCA: fn(['string', 'int'], (context, name, days) =>
    selfSigned(context, { ...request(context, name, days), isCa: true }, newKey(context)),
  ),
  genCAWithKey: fn(['string', 'int', 'string'], (context, name, days, pem) => {
    const key = givenKey(pem);
    return selfSigned(context, { ...request(context, name, days), isCa: true }, key);
  }),
  genSelfSignedCert: fn(['string', 'list', 'list', 'int'], (context, name, ips, dns, days) =>
    selfSigned(context, request(context, name, days, ips, dns), newKey(context)),
  ),
  genSelfSignedCertWithKey: fn(['string', 'list', 'list', 'int', 'string'], (context, name, ips, dns, days, pem) => {
    const key = givenKey(pem);
    return selfSigned(context, request(context, name, days, ips, dns), key);
  }),
  genSignedCert: fn(['string', 'list', 'list', 'int', 'certificate'], (context, name, ips, dns, days, ca) =>
    signedBy(ca, request(context, name, days, ips, dns), newKey(context)),
  ),
  genSignedCertWithKey: fn(
    ['string', 'list', 'list', 'int', 'certificate', 'string'],
    (context, name, ips, dns, days, ca, pem) => {
      const key = givenKey(pem);
      return signedBy(ca, request(context, name, days, ips, dns), key);
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

function request(
  context: CallContext,
  commonName: string,
  days: number,
  ips?: GoSlice,
  dnsNames?: GoSlice,
): CertificateRequest {
  const addresses = (ips?.items ?? []).map((ip): Bytes => {
    const shown = ip === null || ip === undefined ? '<nil>' : formatValue(ip, context.budget);
    if (typeof ip !== 'string') throw new GoError(`error parsing ip: ${shown} is not a string`);
    const address = parseIp(ip);
    if (address === undefined) throw new GoError(`error parsing ip: ${shown}`);
    return address;
  });
  const names = (dnsNames?.items ?? []).map((name) => {
    if (typeof name === 'string') return name;
    const shown = name === null || name === undefined ? '<nil>' : formatValue(name, context.budget);
    throw new GoError(`error processing alternate dns name: ${shown} is not a string`);
  });
  const notBefore = Math.floor(context.environment.clock.now() / 1000);
  return {
    commonName,
    serial: bytesToBig(context.environment.random.bytes(16)),
    notBefore,
    notAfter: notBefore + days * DAY_SECONDS,
    addresses,
    dnsNames: names,
    isCa: false,
  };
}

function selfSigned(_: CallContext, wanted: CertificateRequest, key: PrivateKey): Certificate {
  return issue(wanted, key, { subject: undefined, keyId: undefined, key });
}

function issue(wanted: CertificateRequest, key: PrivateKey, issuer: Issuer): Certificate {
  return new Certificate(encodePem('CERTIFICATE', createCertificate(wanted, key, issuer)), encodeKey(key));
}

function signedBy(ca: Certificate, wanted: CertificateRequest, key: PrivateKey): Certificate {
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
  return issue(wanted, key, { subject: parent.subject, keyId: parent.keyId, key: signingKey });
}

function parsed(bytes: Bytes): ReturnType<typeof parseCertificate> {
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
