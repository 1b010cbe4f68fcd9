import { ed25519 } from '@noble/curves/ed25519.js';
import { p256, p384, p521 } from '@noble/curves/nist.js';
import { bytesToNumberBE, numberToBytesBE } from '@noble/curves/utils.js';
import { bits, DER_NULL, derInteger, objectId, octets, sequence, tagged } from '@/lib/x509/der';
import { encodePem } from '@/lib/x509/pem';
import { readIntegers } from '@/lib/x509/read-der';
import type { CallContext } from '../functions/define';
import { GoError } from '../template-error';

const CURVES = { '1.2.840.10045.3.1.7': p256, '1.3.132.0.34': p384, '1.3.132.0.35': p521 } as const;
type CurveId = keyof typeof CURVES;

/** `der` is an RSAPrivateKey (PKCS #1) whose integers were checked by {@link rsaKey}. */
interface RsaKey {
  readonly kind: 'rsa';
  readonly der: Uint8Array;
  readonly modulus: bigint;
  readonly exponent: bigint;
}
/** A scalar of full length for its curve. */
interface EcKey {
  readonly kind: 'ec';
  readonly curve: CurveId;
  readonly secret: Uint8Array;
}
interface Ed25519Key {
  readonly kind: 'ed25519';
  readonly seed: Uint8Array;
}
/** Templates can generate DSA keys, but Go makes no certificates with them. */
interface DsaKey {
  readonly kind: 'dsa';
  readonly der: Uint8Array;
}
export type PrivateKey = RsaKey | EcKey | Ed25519Key | DsaKey;

export const RSA_ID = '1.2.840.113549.1.1.1';
export const EC_ID = '1.2.840.10045.2.1';
export const ED25519_ID = '1.3.101.112';

/** Sprig's genPrivateKey; undefined for a kind that it does not know. */
export function generateKey(context: CallContext, kind: string): PrivateKey | undefined {
  switch (kind) {
    case '':
    case 'rsa':
      return generateRsaKey(context, 4096);
    case 'dsa':
      return isDraft(context)
        ? generateEcKey(context)
        : { kind: 'dsa', der: primeKeysOf(context).generateDsa(context.environment.random) };
    case 'ecdsa':
      return generateEcKey(context);
    case 'ed25519':
      return { kind: 'ed25519', seed: context.environment.random.bytes(32) };
    default:
      return undefined;
  }
}

const isDraft = ({ environment }: CallContext): boolean => environment.hasDraftKeys === true;

/** In a draft the key is on P-256 instead. */
export function generateRsaKey(context: CallContext, size: number): PrivateKey {
  if (isDraft(context)) return generateEcKey(context);
  const key = rsaKey(primeKeysOf(context).generateRsa(size, context.environment.random));
  if (key === undefined) throw new TypeError('The generated RSA key is not an RSAPrivateKey.');
  return key;
}

function generateEcKey(context: CallContext): PrivateKey {
  const { n } = p256.Point.CURVE();
  const value = bytesToNumberBE(context.environment.random.bytes(40)) % (n - 1n);
  return { kind: 'ec', curve: '1.2.840.10045.3.1.7', secret: numberToBytesBE(value + 1n, 32) };
}

function primeKeysOf({ environment }: CallContext) {
  if (environment.primeKeys === undefined) throw new TypeError('The render environment has no RSA and DSA keys.');
  return environment.primeKeys;
}

/** The key of an RSAPrivateKey in DER; undefined when its integers do not form one. */
export function rsaKey(der: Uint8Array): RsaKey | undefined {
  const numbers = readIntegers(der);
  if (numbers === undefined || numbers.length < 9) return undefined;
  const [, modulus = 0n, exponent = 0n, , p = 0n, q = 0n] = numbers;
  return p * q === modulus && modulus > 0n ? { kind: 'rsa', der, modulus, exponent } : undefined;
}

/** The key on a curve; undefined for an unknown curve, or a number that is not a key of it. */
export function ecKey(curveId: Uint8Array | undefined, secret: Uint8Array): EcKey | undefined {
  const shown = String(curveId);
  const curve = (Object.keys(CURVES) as CurveId[]).find((each) => String(objectId(each)) === shown);
  if (curve === undefined) return undefined;
  const { lengths, utils } = CURVES[curve];
  const length = lengths.secretKey ?? 32;
  const value = bytesToNumberBE(secret);
  if (value >> BigInt(8 * length) > 0n) return undefined;
  const padded = numberToBytesBE(value, length);
  return utils.isValidSecretKey(padded) ? { kind: 'ec', curve, secret: padded } : undefined;
}

/** In PEM, each kind in the format that Sprig gives it. */
export function encodeKey(key: PrivateKey): string {
  switch (key.kind) {
    case 'rsa':
      return encodePem('RSA PRIVATE KEY', key.der);
    case 'dsa':
      return encodePem('DSA PRIVATE KEY', key.der);
    case 'ec': {
      const publicKey = tagged(1, bits(CURVES[key.curve].getPublicKey(key.secret, false)));
      const body = sequence(derInteger(1n), octets(key.secret), tagged(0, objectId(key.curve)), publicKey);
      return encodePem('EC PRIVATE KEY', body);
    }
    case 'ed25519':
      return encodePem(
        'PRIVATE KEY',
        sequence(derInteger(0n), sequence(objectId(ED25519_ID)), octets(octets(key.seed))),
      );
  }
}

/** X.509's SubjectPublicKeyInfo, and the bytes of the key in it. @throws GoError for DSA keys */
export function publicKeyInfo(key: PrivateKey): { readonly info: Uint8Array; readonly content: Uint8Array } {
  switch (key.kind) {
    case 'rsa':
      return withInfo(
        sequence(objectId(RSA_ID), DER_NULL),
        sequence(derInteger(key.modulus), derInteger(key.exponent)),
      );
    case 'ec':
      return withInfo(
        sequence(objectId(EC_ID), objectId(key.curve)),
        CURVES[key.curve].getPublicKey(key.secret, false),
      );
    case 'ed25519':
      return withInfo(sequence(objectId(ED25519_ID)), ed25519.getPublicKey(key.seed));
    case 'dsa':
      throw unsupported();
  }
}

function withInfo(algorithm: Uint8Array, content: Uint8Array) {
  return { content, info: sequence(algorithm, bits(content)) };
}

const unsupported = () => new GoError('error creating certificate: x509: only RSA, ECDSA and Ed25519 keys supported');

const EC_SIGNATURES: { readonly [C in CurveId]: string } = {
  '1.2.840.10045.3.1.7': '1.2.840.10045.4.3.2',
  '1.3.132.0.34': '1.2.840.10045.4.3.3',
  '1.3.132.0.35': '1.2.840.10045.4.3.4',
};

/** X.509's AlgorithmIdentifier of the signatures that a key makes. */
export function signatureAlgorithm(key: PrivateKey): Uint8Array {
  if (key.kind === 'ec') return sequence(objectId(EC_SIGNATURES[key.curve]));
  if (key.kind === 'ed25519') return sequence(objectId(ED25519_ID));
  return sequence(objectId('1.2.840.113549.1.1.11'), DER_NULL);
}

/** ECDSA signatures are deterministic (RFC 6979), so that a retry renders the same certificate. @throws GoError */
export function sign(context: CallContext, key: PrivateKey, message: Uint8Array): Uint8Array {
  switch (key.kind) {
    case 'rsa':
      return signRsa(context, key, message);
    case 'ec':
      return CURVES[key.curve].sign(message, key.secret, { format: 'der', lowS: false });
    case 'ed25519':
      return ed25519.sign(message, key.seed);
    case 'dsa':
      throw unsupported();
  }
}

/** In a draft without RSA the signature is zeros. */
function signRsa(context: CallContext, key: RsaKey, message: Uint8Array): Uint8Array {
  if (isDraft(context) && context.environment.primeKeys === undefined) {
    return new Uint8Array(Math.ceil(key.modulus.toString(2).length / 8));
  }
  const primeKeys = primeKeysOf(context);
  try {
    return primeKeys.signWithRsa(key.der, message);
  } catch {
    throw new GoError('error creating certificate: crypto/rsa: invalid private key');
  }
}
