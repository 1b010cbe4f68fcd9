import { GoError } from '../template-error';

/** bcrypt as golang.org/x/crypto writes it: `$2a$`, cost 10. Passwords and results are byte strings. */
const COST = 10;
const ALPHABET = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const MAGIC = 'OrpheanBeholderScryDoubt';
const ROUNDS = 16;

/** @throws GoError for more than 72 bytes */
export function bcryptHash(password: string, salt: Uint8Array): string {
  if (password.length > 72) throw new GoError('bcrypt: password length exceeds 72 bytes');
  const key = cyclicWords(
    Uint8Array.from(`${password}\0`, (byte) => byte.charCodeAt(0)),
    18,
  );
  const saltWords = cyclicWords(salt, 18);
  const cipher = new Blowfish();
  cipher.expand(key, saltWords);
  for (let round = 0; round < 1 << COST; round++) {
    cipher.expand(key, undefined);
    cipher.expand(saltWords, undefined);
  }
  const text = cyclicWords(
    Uint8Array.from(MAGIC, (letter) => letter.charCodeAt(0)),
    6,
  );
  for (let at = 0; at < 6; at += 2) for (let round = 0; round < 64; round++) cipher.encrypt(text, at);
  const bytes = Array.from(text, (word) => [word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255]).flat();
  return `$2a$${String(COST).padStart(2, '0')}$${encode([...salt])}${encode(bytes.slice(0, 23))}`;
}

function encode(bytes: readonly number[]): string {
  let result = '';
  let [bits, count] = [0, 0];
  for (const byte of bytes) {
    bits = (bits << 8) | byte;
    count += 8;
    while (count >= 6) {
      count -= 6;
      result += ALPHABET[(bits >> count) & 63];
    }
    bits &= (1 << count) - 1;
  }
  return count > 0 ? result + ALPHABET[(bits << (6 - count)) & 63] : result;
}

/** Big-endian words, going round the bytes again and again. */
function cyclicWords(bytes: Uint8Array, count: number): Uint32Array {
  const words = new Uint32Array(count);
  for (let at = 0; at < count * 4; at++) {
    words[at >> 2] = (((words[at >> 2] ?? 0) << 8) | (bytes[at % bytes.length] ?? 0)) >>> 0;
  }
  return words;
}

let initial: Uint32Array | undefined;

/** Blowfish begins with the binary digits of π behind the point: 18 words of keys, then four boxes of 256. */
function digitsOfPi(): Uint32Array {
  if (initial !== undefined) return initial;
  const words = 18 + 4 * 256;
  const guard = 64n;
  const bits = BigInt(words * 32);
  const one = 1n << (bits + guard);
  // Machin: π = 16 arctan(1/5) − 4 arctan(1/239).
  const pi = 16n * arctanOfInverse(5n, one) - 4n * arctanOfInverse(239n, one);
  const hex = ((pi >> guard) & ((1n << bits) - 1n)).toString(16).padStart(words * 8, '0');
  initial = Uint32Array.from({ length: words }, (_, index) => Number.parseInt(hex.slice(index * 8, index * 8 + 8), 16));
  return initial;
}

function arctanOfInverse(value: bigint, one: bigint): bigint {
  let power = one / value;
  let sum = power;
  for (let index = 3n, sign = -1n; power > 0n; index += 2n, sign = -sign) {
    power /= value * value;
    sum += (sign * power) / index;
  }
  return sum;
}

class Blowfish {
  private readonly keys: Uint32Array;
  private readonly boxes: Uint32Array;

  constructor() {
    const digits = digitsOfPi();
    this.keys = digits.slice(0, ROUNDS + 2);
    this.boxes = digits.slice(ROUNDS + 2);
  }

  /** Mixes the key in; with a salt as in bcrypt's first step. */
  expand(key: Uint32Array, salt: Uint32Array | undefined): void {
    for (let at = 0; at < 18; at++) this.keys[at] = ((this.keys[at] ?? 0) ^ (key[at] ?? 0)) >>> 0;
    const block = new Uint32Array(2);
    let turn = 0;
    for (const target of [this.keys, this.boxes]) {
      for (let at = 0; at < target.length; at += 2) {
        if (salt !== undefined) {
          block[0] = (block[0] ?? 0) ^ (salt[turn % 4] ?? 0);
          block[1] = (block[1] ?? 0) ^ (salt[(turn + 1) % 4] ?? 0);
          turn += 2;
        }
        this.encrypt(block, 0);
        target[at] = block[0] ?? 0;
        target[at + 1] = block[1] ?? 0;
      }
    }
  }

  encrypt(block: Uint32Array, at: number): void {
    const { keys, boxes } = this;
    let left = block[at] ?? 0;
    let right = block[at + 1] ?? 0;
    for (let round = 0; round < ROUNDS; round++) {
      left ^= keys[round] ?? 0;
      const sum =
        ((((boxes[left >>> 24] ?? 0) + (boxes[256 + ((left >>> 16) & 255)] ?? 0)) ^
          (boxes[512 + ((left >>> 8) & 255)] ?? 0)) +
          (boxes[768 + (left & 255)] ?? 0)) |
        0;
      const mixed = right ^ sum;
      right = left;
      left = mixed;
    }
    block[at] = right ^ (keys[ROUNDS + 1] ?? 0);
    block[at + 1] = left ^ (keys[ROUNDS] ?? 0);
  }
}
