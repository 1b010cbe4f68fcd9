import type { CallContext } from '../functions/define';
import { bytesToBig } from './der';

/** base^exponent mod modulus. */
export function modPow(base: bigint, exponent: bigint, modulus: bigint): bigint {
  const bits = exponent.toString(2);
  // Four bits at a time over a table of small powers.
  const table = [1n, base % modulus];
  for (let index = 2; index < 16; index++) table.push(((table[index - 1] ?? 1n) * (table[1] ?? 1n)) % modulus);
  const padded = bits.padStart(Math.ceil(bits.length / 4) * 4, '0');
  let result = 1n;
  for (let at = 0; at < padded.length; at += 4) {
    for (let square = 0; square < 4; square++) result = (result * result) % modulus;
    const digit = Number.parseInt(padded.slice(at, at + 4), 2);
    if (digit > 0) result = (result * (table[digit] ?? 1n)) % modulus;
  }
  return result;
}

/** The inverse of a number for a modulus that shares no factor with it. */
export function modInverse(value: bigint, modulus: bigint): bigint {
  let [a, b, x, y] = [((value % modulus) + modulus) % modulus, modulus, 1n, 0n];
  while (b !== 0n) {
    const quotient = a / b;
    [a, b] = [b, a - quotient * b];
    [x, y] = [y, x - quotient * y];
  }
  return ((x % modulus) + modulus) % modulus;
}

const SIEVE_LIMIT = 1 << 16;
let smallPrimes: number[] | undefined;

function primesBelowLimit(): readonly number[] {
  if (smallPrimes !== undefined) return smallPrimes;
  const composite = new Uint8Array(SIEVE_LIMIT);
  const primes: number[] = [];
  for (let value = 3; value < SIEVE_LIMIT; value += 2) {
    if (composite[value] === 1) continue;
    primes.push(value);
    for (let multiple = value * value; multiple < SIEVE_LIMIT; multiple += value * 2) composite[multiple] = 1;
  }
  smallPrimes = primes;
  return primes;
}

/** A random number of exactly this many bits whose two highest bits are set, so that products have full length. */
export function randomBits(context: CallContext, bits: number): bigint {
  const value = bytesToBig(context.environment.random.bytes(Math.ceil(bits / 8)));
  const masked = value & ((1n << BigInt(bits)) - 1n);
  return masked | (3n << BigInt(bits - 2));
}

/**
 * A random prime of this many bits: the first one at or after a random start. `accepts` may refuse one, `step` is the
 * distance of candidates (even).
 */
export function randomPrime(
  context: CallContext,
  bits: number,
  accepts: (prime: bigint) => boolean = () => true,
): bigint {
  for (;;) {
    const start = randomBits(context, bits) | 1n;
    const found = searchFrom(context, start, 2n, accepts);
    if (found !== undefined && found >> BigInt(bits) === 0n) return found;
  }
}

/** As {@link modInverse}, for numbers below 2^16. */
function smallInverse(value: number, modulus: number): number {
  let [a, b, x, y] = [value, modulus, 1, 0];
  while (b !== 0) {
    const quotient = Math.trunc(a / b);
    [a, b] = [b, a - quotient * b];
    [x, y] = [y, x - quotient * y];
  }
  return x < 0 ? x + modulus : x;
}

const WINDOW = 1 << 14;

/** The first prime among start, start + step, … of a window that is sieved by small primes first. */
export function searchFrom(
  context: CallContext,
  start: bigint,
  step: bigint,
  accepts: (prime: bigint) => boolean,
): bigint | undefined {
  const composite = new Uint8Array(WINDOW);
  for (const prime of primesBelowLimit()) {
    const remainder = Number(start % BigInt(prime));
    const stride = Number(step % BigInt(prime));
    if (stride === 0) {
      if (remainder === 0) return undefined;
      continue;
    }
    // start + index × step ≡ 0; products of two numbers below 2^16 are exact.
    const first = ((prime - remainder) * smallInverse(stride, prime)) % prime;
    for (let index = first; index < WINDOW; index += prime) composite[index] = 1;
  }
  for (let index = 0; index < WINDOW; index++) {
    if (composite[index] === 1) continue;
    const candidate = start + BigInt(index) * step;
    if (isProbablePrime(context, candidate) && accepts(candidate)) return candidate;
  }
  return undefined;
}

const ROUNDS = 10;

/** Miller-Rabin with base 2 and random bases; the environment may bring a faster test. */
export function isProbablePrime(context: CallContext, candidate: bigint): boolean {
  const { isPrime } = context.environment;
  if (isPrime !== undefined) return isPrime(candidate);
  let [odd, twos] = [candidate - 1n, 0];
  while ((odd & 1n) === 0n) {
    odd >>= 1n;
    twos++;
  }
  for (let round = 0; round < ROUNDS; round++) {
    // Fixed bases: the random source has to give the same keys whichever test is used.
    if (!passes(candidate, BigInt(BASES[round] ?? 2), odd, twos)) return false;
  }
  return true;
}

const BASES = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29];

function passes(candidate: bigint, base: bigint, odd: bigint, twos: number): boolean {
  let value = modPow(base, odd, candidate);
  if (value === 1n || value === candidate - 1n) return true;
  for (let index = 1; index < twos; index++) {
    value = (value * value) % candidate;
    if (value === candidate - 1n) return true;
  }
  return false;
}
