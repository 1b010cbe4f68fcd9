import type { CallContext } from '../functions/define';
import { type Bytes, bytesToBig, integer, sequence } from './der';
import { modPow, randomBits, randomPrime, searchFrom } from './primes';

export interface DsaKey {
  readonly kind: 'dsa';
  readonly p: bigint;
  readonly q: bigint;
  readonly g: bigint;
  readonly y: bigint;
  readonly x: bigint;
}

const BITS = 2_048;
const DRAFT_BITS = 512;

/** With L = 2048 and N = 256; L = 512 for a draft. */
export function generateDsaKey(context: CallContext): DsaKey {
  const q = randomPrime(context, 256);
  const p = primeAbove(context, q, context.environment.hasDraftKeys === true ? DRAFT_BITS : BITS);
  const g = modPow(2n, (p - 1n) / q, p);
  const x = (bytesToBig(context.environment.random.bytes(40)) % (q - 1n)) + 1n;
  return { kind: 'dsa', p, q, g, y: modPow(g, x, p), x };
}

/** A prime of so many bits with p ≡ 1 modulo q. */
function primeAbove(context: CallContext, q: bigint, bits: number): bigint {
  for (;;) {
    const start = randomBits(context, bits);
    const aligned = start - (start % (2n * q)) + 1n;
    const found = searchFrom(context, aligned, 2n * q, () => true);
    if (found !== undefined && found.toString(2).length === bits) return found;
  }
}

export function encodeDsaKey(key: DsaKey): Bytes {
  return sequence(...[0n, key.p, key.q, key.g, key.y, key.x].map(integer));
}
