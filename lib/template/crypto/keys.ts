import { ed25519 } from '@noble/curves/ed25519.js';
import { p256, p384, p521 } from '@noble/curves/nist.js';
import type { CallContext } from '../functions/define';
import { GoError } from '../template-error';
import {
  type Bytes,
  bigToBytes,
  bitString,
  bytesToBig,
  element,
  integer,
  NULL,
  objectId,
  octets,
  readElements,
  readIntegers,
  readSequence,
  sequence,
} from './der';
import { type DsaKey, encodeDsaKey, generateDsaKey } from './dsa';
import { decodePem, encodePem } from './pem';
import { decodeRsaKey, encodeRsaKey, encodeRsaPublicKey, generateRsaKey, type RsaKey, signRsa } from './rsa';

const CURVES = { '1.2.840.10045.3.1.7': p256, '1.3.132.0.34': p384, '1.3.132.0.35': p521 } as const;
type CurveId = keyof typeof CURVES;

interface EcKey {
  readonly kind: 'ec';
  readonly curve: CurveId;
  readonly secret: Bytes;
}
interface Ed25519Key {
  readonly kind: 'ed25519';
  readonly seed: Bytes;
}
export type PrivateKey = RsaKey | EcKey | Ed25519Key | DsaKey;

const RSA_ID = '1.2.840.113549.1.1.1';
const EC_ID = '1.2.840.10045.2.1';
const ED25519_ID = '1.3.101.112';

/** Sprig's genPrivateKey; undefined for a kind that it does not know. */
export function generateKey(context: CallContext, kind: string): PrivateKey | undefined {
  switch (kind) {
    case '':
    case 'rsa':
      return generateRsaKey(context, 4096);
    case 'dsa':
      return generateDsaKey(context);
    case 'ecdsa': {
      const { n } = p256.Point.CURVE();
      const value = bytesToBig(context.environment.random.bytes(40)) % (n - 1n);
      return { kind: 'ec', curve: '1.2.840.10045.3.1.7', secret: bigToBytes(value + 1n, 32) };
    }
    case 'ed25519':
      return { kind: 'ed25519', seed: context.environment.random.bytes(32) };
    default:
      return undefined;
  }
}

/** In PEM, each kind in its own format as Sprig has it. */
export function encodeKey(key: PrivateKey): string {
  switch (key.kind) {
    case 'rsa':
      return encodePem('RSA PRIVATE KEY', encodeRsaKey(key));
    case 'dsa':
      return encodePem('DSA PRIVATE KEY', encodeDsaKey(key));
    case 'ec': {
      const publicKey = element(0xa1, bitString(CURVES[key.curve].getPublicKey(key.secret, false)));
      const body = sequence(integer(1n), octets(key.secret), element(0xa0, objectId(key.curve)), publicKey);
      return encodePem('EC PRIVATE KEY', body);
    }
    case 'ed25519':
      return encodePem(
        'PRIVATE KEY',
        sequence(element(2, Uint8Array.of(0)), sequence(objectId(ED25519_ID)), octets(octets(key.seed))),
      );
  }
}

/** @throws GoError in Sprig's words */
export function decodeKey(pem: string): PrivateKey {
  const block = decodePem(pem);
  if (block === undefined) throw new GoError('no PEM data in input');
  if (block.type === 'PRIVATE KEY') {
    return decodePkcs8(block.bytes) ?? malformed('decoding PEM as PKCS#8: asn1: structure error');
  }
  if (!block.type.endsWith(' PRIVATE KEY')) {
    throw new GoError(`no private key data in PEM block of type ${block.type}`);
  }
  switch (block.type.slice(0, -' PRIVATE KEY'.length)) {
    case 'RSA':
      return decodeRsaKey(block.bytes) ?? malformed('parsing RSA private key from PEM: asn1: structure error');
    case 'EC':
      return decodeEc(block.bytes) ?? malformed('parsing EC private key from PEM: asn1: structure error');
    case 'DSA': {
      const [, p = 0n, q = 0n, g = 0n, y = 0n, x = 0n] = readIntegers(block.bytes) ?? [];
      if (x === 0n) malformed('parsing DSA private key from PEM: asn1: structure error');
      return { kind: 'dsa', p, q, g, y, x };
    }
    default:
      throw new GoError(`invalid private key type ${block.type}`);
  }
}

function malformed(message: string): never {
  throw new GoError(message);
}

function curveOf(id: Bytes | undefined): CurveId | undefined {
  const shown = String(id);
  return (Object.keys(CURVES) as CurveId[]).find((curve) => String(objectId(curve)) === shown);
}

function decodeEc(bytes: Bytes, given?: CurveId): EcKey | undefined {
  const [, secret, ...rest] = readSequence(bytes) ?? [];
  const curve = given ?? curveOf(rest.find(({ tag }) => tag === 0xa0)?.content);
  if (secret?.tag !== 4 || curve === undefined) return undefined;
  const length = CURVES[curve].lengths.secretKey ?? 32;
  const padded = bigToBytes(bytesToBig(secret.content), length);
  return CURVES[curve].utils.isValidSecretKey(padded) ? { kind: 'ec', curve, secret: padded } : undefined;
}

function decodePkcs8(bytes: Bytes): PrivateKey | undefined {
  const [, algorithm, content] = readSequence(bytes) ?? [];
  if (algorithm === undefined || content?.tag !== 4) return undefined;
  const [id, parameter] = readElements(algorithm.content) ?? [];
  const shown = String(id?.whole);
  if (shown === String(objectId(RSA_ID))) return decodeRsaKey(content.content);
  if (shown === String(objectId(EC_ID))) return decodeEc(content.content, curveOf(parameter?.whole));
  if (shown !== String(objectId(ED25519_ID))) return undefined;
  const [seed] = readElements(content.content) ?? [];
  return seed?.tag === 4 && seed.content.length === 32 ? { kind: 'ed25519', seed: seed.content } : undefined;
}

/** X.509's SubjectPublicKeyInfo, and the bytes of the key in it. @throws GoError for DSA keys */
export function publicKeyInfo(key: PrivateKey): { readonly info: Bytes; readonly bits: Bytes } {
  switch (key.kind) {
    case 'rsa': {
      const bits = encodeRsaPublicKey(key);
      return { bits, info: sequence(sequence(objectId(RSA_ID), NULL), bitString(bits)) };
    }
    case 'ec': {
      const bits = CURVES[key.curve].getPublicKey(key.secret, false);
      return { bits, info: sequence(sequence(objectId(EC_ID), objectId(key.curve)), bitString(bits)) };
    }
    case 'ed25519': {
      const bits = ed25519.getPublicKey(key.seed);
      return { bits, info: sequence(sequence(objectId(ED25519_ID)), bitString(bits)) };
    }
    case 'dsa':
      throw new GoError('error creating certificate: x509: only RSA, ECDSA and Ed25519 keys supported');
  }
}

const EC_SIGNATURES: { readonly [C in CurveId]: string } = {
  '1.2.840.10045.3.1.7': '1.2.840.10045.4.3.2',
  '1.3.132.0.34': '1.2.840.10045.4.3.3',
  '1.3.132.0.35': '1.2.840.10045.4.3.4',
};

/** X.509's AlgorithmIdentifier of the signatures that a key makes. */
export function signatureAlgorithm(key: PrivateKey): Bytes {
  if (key.kind === 'ec') return sequence(objectId(EC_SIGNATURES[key.curve]));
  if (key.kind === 'ed25519') return sequence(objectId(ED25519_ID));
  return sequence(objectId('1.2.840.113549.1.1.11'), NULL);
}

export function sign(key: PrivateKey, message: Bytes): Bytes {
  switch (key.kind) {
    case 'rsa':
      return signRsa(key, message);
    case 'ec':
      return CURVES[key.curve].sign(message, key.secret, { format: 'der', lowS: false });
    case 'ed25519':
      return ed25519.sign(message, key.seed);
    case 'dsa':
      return malformed('error creating certificate: x509: only RSA, ECDSA and Ed25519 keys supported');
  }
}
