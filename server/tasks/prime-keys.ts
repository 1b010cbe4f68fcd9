import { checkPrimeSync, createPrivateKey, sign } from 'node:crypto';
import type { Random } from '@/lib/random/random';
import type { PrimeKeys } from '@/lib/template/contract';
import { derInteger, sequence } from '@/lib/x509/der';

/**
 * RSA and DSA keys that are derived from a random source. node:crypto generates keys only from randomness of its own, but a run has
 * to render the same key at a retry; so the candidates come from the source, and OpenSSL tests them, assembles the key and signs.
 */
export const primeKeys: PrimeKeys = {
  generateRsa(bits, random) {
    const fits = (prime: bigint): boolean => (prime - 1n) % EXPONENT !== 0n;
    const p = randomPrime(bits / 2, random, fits);
    const q = randomPrime(bits / 2, random, (prime) => prime !== p && fits(prime));
    return assembleRsa(p, q);
  },

  generateDsa(random) {
    const q = randomPrime(256, random, () => true);
    const p = primeAbove(q, 2048, random);
    const g = modPow(2n, (p - 1n) / q, p);
    const x = (toNumber(random.bytes(40)) % (q - 1n)) + 1n;
    return sequence(...[0n, p, q, g, modPow(g, x, p), x].map(derInteger));
  },

  signWithRsa(rsaPrivateKey, message) {
    return sign('sha256', message, createPrivateKey({ key: Buffer.from(rsaPrivateKey), format: 'der', type: 'pkcs1' }));
  },
};

const EXPONENT = 65_537n;

function assembleRsa(p: bigint, q: bigint): Uint8Array {
  const d = modInverse(EXPONENT, (p - 1n) * (q - 1n));
  const numbers = { n: p * q, e: EXPONENT, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: modInverse(q, p) };
  const members = Object.entries(numbers).map(([name, value]) => [name, toBase64Url(value)] as const);
  const key = createPrivateKey({ format: 'jwk', key: { kty: 'RSA', ...Object.fromEntries(members) } });
  return key.export({ type: 'pkcs1', format: 'der' });
}

/** Miller-Rabin rounds of OpenSSL for each candidate. */
const PRIME_CHECKS = 20;
/** Candidates that are tried from one start. A prime of 2,048 bits comes after 710 odd numbers on average. */
const MOST_CANDIDATES = 20_000;

/** The first prime that fits at or after a random odd number whose two highest bits are set, so that products have full length. */
function randomPrime(bits: number, random: Random, fits: (prime: bigint) => boolean): bigint {
  for (;;) {
    const found = primeFrom(randomNumber(bits, random) | 1n, 2n, fits);
    if (found !== undefined && found >> BigInt(bits) === 0n) return found;
  }
}

/** A prime of so many bits that is 1 modulo q. */
function primeAbove(q: bigint, bits: number, random: Random): bigint {
  for (;;) {
    const start = randomNumber(bits, random);
    const found = primeFrom(start - (start % (2n * q)) + 1n, 2n * q, () => true);
    if (found !== undefined && found.toString(2).length === bits) return found;
  }
}

/** The first prime that fits among start, start + step, … Most candidates fall by small divisors, in numbers instead of bigints. */
function primeFrom(start: bigint, step: bigint, fits: (prime: bigint) => boolean): bigint | undefined {
  const divisors = SMALL_PRIMES.map((prime) => ({
    prime,
    remainder: Number(start % BigInt(prime)),
    stride: Number(step % BigInt(prime)),
  }));
  for (let index = 0; index < MOST_CANDIDATES; index++) {
    if (divisors.some(({ prime, remainder, stride }) => (remainder + index * stride) % prime === 0)) continue;
    const candidate = start + BigInt(index) * step;
    if (checkPrimeSync(candidate, { checks: PRIME_CHECKS }) && fits(candidate)) return candidate;
  }
  return undefined;
}

/** The odd primes below 4,096. */
const SMALL_PRIMES = Array.from({ length: 2_047 }, (_, index) => 2 * index + 3).filter((value) => {
  for (let divisor = 3; divisor * divisor <= value; divisor += 2) if (value % divisor === 0) return false;
  return true;
});

function randomNumber(bits: number, random: Random): bigint {
  return toNumber(random.bytes(bits / 8)) | (3n << BigInt(bits - 2));
}

function modPow(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let [result, power] = [1n, base % modulus];
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * power) % modulus;
    power = (power * power) % modulus;
  }
  return result;
}

/** The inverse of a number for a modulus that shares no factor with it. */
function modInverse(value: bigint, modulus: bigint): bigint {
  let [a, b, x, y] = [value % modulus, modulus, 1n, 0n];
  while (b !== 0n) {
    const quotient = a / b;
    [a, b] = [b, a - quotient * b];
    [x, y] = [y, x - quotient * y];
  }
  return ((x % modulus) + modulus) % modulus;
}

function toNumber(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}

function toBase64Url(value: bigint): string {
  const hex = value.toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url');
}
