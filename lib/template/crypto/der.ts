/** DER as X.509 and keys need it: writing of values, and reading of tag, length and content. */
export type Bytes = Uint8Array;

export function concatBytes(...parts: readonly Bytes[]): Bytes {
  const result = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}

export function element(tag: number, ...content: readonly Bytes[]): Bytes {
  const body = concatBytes(...content);
  return concatBytes(Uint8Array.of(tag, ...lengthBytes(body.length)), body);
}

function lengthBytes(length: number): number[] {
  if (length < 128) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 | bytes.length, ...bytes];
}

export const sequence = (...content: readonly Bytes[]): Bytes => element(0x30, ...content);
export const octets = (content: Bytes): Bytes => element(0x04, content);
export const bitString = (content: Bytes, unused = 0): Bytes => element(0x03, Uint8Array.of(unused), content);
export const NULL = Uint8Array.of(5, 0);
export const TRUE = Uint8Array.of(1, 1, 0xff);

/** A whole number that is not negative. */
export function integer(value: bigint): Bytes {
  const bytes = bigToBytes(value);
  return element(0x02, (bytes[0] ?? 0) >= 128 || bytes.length === 0 ? concatBytes(Uint8Array.of(0), bytes) : bytes);
}

export function objectId(text: string): Bytes {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const arc of rest) {
    const groups = [arc % 128];
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128)) groups.unshift(128 | (left % 128));
    bytes.push(...groups);
  }
  return element(0x06, Uint8Array.from(bytes));
}

/** Big-endian without leading zeros; `length` pads on the left. */
export function bigToBytes(value: bigint, length = 0): Bytes {
  let hex = value === 0n ? '' : value.toString(16);
  if (hex.length % 2 === 1) hex = `0${hex}`;
  hex = hex.padStart(length * 2, '0');
  return Uint8Array.from({ length: hex.length / 2 }, (_, index) =>
    Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16),
  );
}

export function bytesToBig(bytes: Bytes): bigint {
  let hex = '';
  for (const byte of bytes) hex += byte.toString(16).padStart(2, '0');
  return hex === '' ? 0n : BigInt(`0x${hex}`);
}

/** One element: its tag, its content, and itself whole. */
export interface Element {
  readonly tag: number;
  readonly content: Bytes;
  readonly whole: Bytes;
}

/** The elements that stand one after the other; undefined when the bytes are no DER. */
export function readElements(bytes: Bytes): Element[] | undefined {
  const result: Element[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at] ?? 0;
    let length = bytes[at + 1];
    let start = at + 2;
    if (length === undefined) return undefined;
    if (length >= 128) {
      const count = length & 0x7f;
      if (count === 0 || count > 4 || start + count > bytes.length) return undefined;
      length = Number(bytesToBig(bytes.subarray(start, start + count)));
      start += count;
    }
    if (start + length > bytes.length) return undefined;
    result.push({ tag, content: bytes.subarray(start, start + length), whole: bytes.subarray(at, start + length) });
    at = start + length;
  }
  return result;
}

/** The members of a SEQUENCE that is all of the bytes. */
export function readSequence(bytes: Bytes): Element[] | undefined {
  const elements = readElements(bytes);
  const [only] = elements ?? [];
  return elements?.length === 1 && only?.tag === 0x30 ? readElements(only.content) : undefined;
}

/** The numbers of a SEQUENCE of INTEGERs. */
export function readIntegers(bytes: Bytes): bigint[] | undefined {
  const members = readSequence(bytes);
  return members?.every(({ tag }) => tag === 2) ? members.map(({ content }) => bytesToBig(content)) : undefined;
}
