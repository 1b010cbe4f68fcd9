import { sha256 } from '@noble/hashes/sha2.js';
import type { CallContext } from '../functions/define';
import {
  type Bytes,
  bigToBytes,
  bytesToBig,
  concatBytes,
  integer,
  NULL,
  objectId,
  octets,
  readIntegers,
  sequence,
} from './der';
import { modInverse, modPow, randomPrime } from './primes';

export interface RsaKey {
  readonly kind: 'rsa';
  readonly n: bigint;
  readonly e: bigint;
  readonly d: bigint;
  readonly p: bigint;
  readonly q: bigint;
}

const EXPONENT = 65_537n;

/** The least that a signature with SHA-256 fits into. */
const DRAFT_BITS = 512;

/** A key of so many bits, or a small one for a draft. */
export function generateRsaKey(context: CallContext, wantedBits: number): RsaKey {
  const bits = context.environment.hasDraftKeys === true ? DRAFT_BITS : wantedBits;
  const fits = (prime: bigint): boolean => (prime - 1n) % EXPONENT !== 0n;
  const p = randomPrime(context, bits / 2, fits);
  const q = randomPrime(context, bits / 2, (prime) => prime !== p && fits(prime));
  const d = modInverse(EXPONENT, (p - 1n) * (q - 1n));
  return { kind: 'rsa', n: p * q, e: EXPONENT, d, p, q };
}

/** PKCS #1 RSAPrivateKey. */
export function encodeRsaKey(key: RsaKey): Bytes {
  const { n, e, d, p, q } = key;
  const numbers = [0n, n, e, d, p, q, d % (p - 1n), d % (q - 1n), modInverse(q, p)];
  return sequence(...numbers.map(integer));
}

export function decodeRsaKey(bytes: Bytes): RsaKey | undefined {
  const numbers = readIntegers(bytes);
  if (numbers === undefined || numbers.length < 9) return undefined;
  const [, n = 0n, e = 0n, d = 0n, p = 0n, q = 0n] = numbers;
  return p * q === n && n > 0n ? { kind: 'rsa', n, e, d, p, q } : undefined;
}

export function encodeRsaPublicKey(key: RsaKey): Bytes {
  return sequence(integer(key.n), integer(key.e));
}

/** PKCS #1 v1.5 with SHA-256. */
export function signRsa(key: RsaKey, message: Bytes): Bytes {
  const length = Math.ceil(key.n.toString(2).length / 8);
  const digest = sequence(sequence(objectId('2.16.840.1.101.3.4.2.1'), NULL), octets(sha256(message)));
  const padding = new Uint8Array(length - digest.length - 3).fill(0xff);
  const block = bytesToBig(concatBytes(Uint8Array.of(0, 1), padding, Uint8Array.of(0), digest));
  // By the Chinese remainder theorem, which is four times as fast.
  const a = modPow(block, key.d % (key.p - 1n), key.p);
  const b = modPow(block, key.d % (key.q - 1n), key.q);
  const h = ((((a - b) * modInverse(key.q, key.p)) % key.p) + key.p) % key.p;
  return bigToBytes(b + h * key.q, length);
}
