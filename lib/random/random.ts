/** The one source of chance. Real code gets a cryptographic one; tests and renders get a seeded one. */
export interface Random {
  /** Fills a new array with random bytes. */
  bytes(length: number): Uint8Array;
}

/** From Web Crypto, which browsers and Node have alike. */
export const systemRandom: Random = {
  bytes(length) {
    if (length <= MAX_POOLED_BYTES) return fromPool(length);
    const result = new Uint8Array(length);
    // getRandomValues gives at most 65,536 bytes a call.
    for (let start = 0; start < length; start += 65_536) {
      crypto.getRandomValues(result.subarray(start, Math.min(start + 65_536, length)));
    }
    return result;
  },
};

/** Short pieces come from one larger draw: asking the operating system for each costs more than all that is done with it. */
const MAX_POOLED_BYTES = 64;
const pool = new Uint8Array(4_096);
let poolAt = pool.length;

function fromPool(length: number): Uint8Array {
  if (poolAt + length > pool.length) {
    crypto.getRandomValues(pool);
    poolAt = 0;
  }
  const result = pool.slice(poolAt, poolAt + length);
  // The returned bytes may be a secret of the caller.
  pool.fill(0, poolAt, poolAt + length);
  poolAt += length;
  return result;
}

/** A deterministic generator (sfc32 seeded by a 32-bit FNV-1a of the text). Not for secrets of its own. */
export function seededRandom(seed: string): Random {
  const next = sfc32(seed);
  return {
    bytes(length) {
      const result = new Uint8Array(length);
      for (let index = 0; index < length; index++) result[index] = next() & 0xff;
      return result;
    },
  };
}

function sfc32(seed: string): () => number {
  let hash = 0x811c9dc5;
  const draw = (salt: number): number => {
    for (let index = 0; index < seed.length; index++) hash = Math.imul(hash ^ seed.charCodeAt(index), 0x01000193);
    hash = Math.imul(hash ^ salt, 0x01000193);
    return hash >>> 0;
  };
  let [a, b, c, counter] = [draw(1), draw(2), draw(3), 1];
  const next = (): number => {
    const t = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return t >>> 0;
  };
  for (let round = 0; round < 12; round++) next();
  return next;
}

/** A whole number in [0, below), without the bias of a plain remainder. `below` is 1 to 2³². */
export function randomInteger(random: Random, below: number): number {
  const limit = Math.floor(0x1_0000_0000 / below) * below;
  for (;;) {
    const [a = 0, b = 0, c = 0, d = 0] = random.bytes(4);
    const value = a * 0x100_0000 + b * 0x1_0000 + c * 0x100 + d;
    if (value < limit) return value % below;
  }
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** A version 4 UUID. */
export function randomUuid(random: Random): string {
  const bytes = random.bytes(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  let hex = '';
  for (const byte of bytes) hex += HEX[byte];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
