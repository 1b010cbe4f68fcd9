import { GoError } from '../template-error';

/** encoding/base64 StdEncoding on byte strings. */
export function encodeBase64(bytes: string): string {
  return btoa(bytes);
}

const ALPHABET_64 = /[A-Za-z0-9+/]/;
const ALPHABET_32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Go's decoder: line breaks are skipped, padding is required, spare bits are ignored. */
export function decodeBase64(text: string): string {
  return decodeGroups(text, BASE_64);
}

/** encoding/base32 StdEncoding. */
export function encodeBase32(bytes: string): string {
  let result = '';
  for (let start = 0; start < bytes.length; start += 5) {
    const group = bytes.slice(start, start + 5);
    let bits = 0n;
    for (let at = 0; at < 5; at++) bits = (bits << 8n) | BigInt(at < group.length ? group.charCodeAt(at) : 0);
    const digits = Math.ceil((group.length * 8) / 5);
    for (let at = 0; at < 8; at++) {
      result += at < digits ? ALPHABET_32[Number((bits >> BigInt(35 - at * 5)) & 31n)] : '=';
    }
  }
  return result;
}

export function decodeBase32(text: string): string {
  // The position of an error does not count line breaks.
  return decodeGroups(text.replace(/[\r\n]/g, ''), BASE_32);
}

function decode32Digits(padded: string): string {
  const digits = padded.replace(/=+$/, '');
  let [bits, count, result] = [0, 0, ''];
  for (const digit of digits) {
    bits = (bits << 5) | ALPHABET_32.indexOf(digit);
    count += 5;
    if (count >= 8) {
      count -= 8;
      result += String.fromCharCode((bits >> count) & 0xff);
    }
    bits &= (1 << count) - 1;
  }
  return result;
}

interface Encoding {
  readonly name: string;
  /** Digits of a whole group. */
  readonly size: 4 | 8;
  readonly isDigit: (character: string) => boolean;
  /** Decodes whole groups, with their padding. */
  readonly decode: (digits: string) => string;
}

const BASE_64: Encoding = {
  name: 'base64',
  size: 4,
  isDigit: (character) => ALPHABET_64.test(character),
  decode: (digits) => atob(digits),
};

const BASE_32: Encoding = {
  name: 'base32',
  size: 8,
  isDigit: (character) => ALPHABET_32.includes(character),
  decode: decode32Digits,
};

/** Checks groups of digits with padding as Go does, naming the first wrong byte. */
function decodeGroups(text: string, { name, size, isDigit, decode }: Encoding): string {
  const corrupt = (at: number): GoError => new GoError(`illegal ${name} data at input byte ${at}`);
  let digits = '';
  let at = 0;
  for (; at < text.length; at++) {
    const character = text[at] ?? '';
    if (character === '\n' || character === '\r') continue;
    if (character === '=') break;
    if (!isDigit(character)) throw corrupt(at);
    digits += character;
  }
  const rest = digits.length % size;
  if (at >= text.length) {
    if (rest !== 0) throw corrupt(text.length - rest);
    return decode(digits);
  }
  const valid = size === 4 ? rest >= 2 : rest === 2 || rest === 4 || rest === 5 || rest === 7;
  if (!valid) throw corrupt(at);
  const padding = text.slice(at).replace(/[\r\n]/g, '');
  if (padding.slice(0, size - rest) !== '='.repeat(size - rest)) throw corrupt(text.length);
  if (padding.length > size - rest) throw corrupt(at + (size - rest));
  return decode(digits + '='.repeat(size - rest));
}
