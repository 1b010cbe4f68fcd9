/** Enough of ASN.1 DER (X.690) to write a certificate. Each function gives a whole element. */

export function sequence(...elements: readonly Uint8Array[]): Buffer {
  return element(0x30, Buffer.concat(elements));
}

export function set(...elements: readonly Uint8Array[]): Buffer {
  return element(0x31, Buffer.concat(elements));
}

/** A positive whole number from its bytes, most significant first. */
export function integer(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = first < 0 ? Buffer.from([0]) : Buffer.from(bytes.subarray(first));
  return element(0x02, (digits[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), digits]) : digits);
}

export function boolean(value: boolean): Buffer {
  return element(0x01, Buffer.from([value ? 0xff : 0]));
}

/** `1.2.840.10045.4.3.2` */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return element(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

export function utf8(text: string): Buffer {
  return element(0x0c, Buffer.from(text, 'utf8'));
}

export function octets(bytes: Uint8Array): Buffer {
  return element(0x04, bytes);
}

/** A bit string whose last byte has `unused` bits that do not count. */
export function bits(bytes: Uint8Array, unused = 0): Buffer {
  return element(0x03, Buffer.concat([Buffer.from([unused]), bytes]));
}

/** `20260102030405Z` from RFC 3339 text of whole seconds in UTC. */
export function generalizedTime(rfc3339: string): Buffer {
  return element(0x18, Buffer.from(rfc3339.replace(/[-:T]/g, ''), 'ascii'));
}

/** `[number]` around whole elements (explicit) or around content (implicit, for primitive ones). */
export function context(number: number, content: Uint8Array, form: 'constructed' | 'primitive'): Buffer {
  return element((form === 'constructed' ? 0xa0 : 0x80) | number, content);
}

function element(tag: number, content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([tag, ...length(content.length)]), content]);
}

function length(size: number): number[] {
  if (size < 0x80) return [size];
  const bytes: number[] = [];
  for (let rest = size; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 | bytes.length, ...bytes];
}

function base128(value: number): number[] {
  const digits = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) digits.unshift((rest % 128) | 0x80);
  return digits;
}
