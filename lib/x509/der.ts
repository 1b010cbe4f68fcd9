/** Enough of ASN.1 DER (X.690) to write a certificate. Each function gives a whole element. */

export function sequence(...elements: readonly Uint8Array[]): Uint8Array {
  return element(0x30, joined(elements));
}

export function set(...elements: readonly Uint8Array[]): Uint8Array {
  return element(0x31, joined(elements));
}

/** A positive whole number from its bytes, most significant first. */
export function integer(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = first < 0 ? Uint8Array.of(0) : bytes.subarray(first);
  return element(0x02, (digits[0] ?? 0) >= 0x80 ? joined([Uint8Array.of(0), digits]) : digits);
}

export function boolean(value: boolean): Uint8Array {
  return element(0x01, Uint8Array.of(value ? 0xff : 0));
}

/** `1.2.840.10045.4.3.2` */
export function objectId(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return element(0x06, Uint8Array.from([first * 40 + second, ...rest.flatMap(base128)]));
}

export function utf8(text: string): Uint8Array {
  return element(0x0c, new TextEncoder().encode(text));
}

export function octets(bytes: Uint8Array): Uint8Array {
  return element(0x04, bytes);
}

/** A bit string whose last byte has `unused` bits that do not count. */
export function bits(bytes: Uint8Array, unused = 0): Uint8Array {
  return element(0x03, joined([Uint8Array.of(unused), bytes]));
}

/** `20260102030405Z` from RFC 3339 text of whole seconds in UTC. */
export function generalizedTime(rfc3339: string): Uint8Array {
  return element(0x18, new TextEncoder().encode(rfc3339.replace(/[-:T]/g, '')));
}

/** `[number]` around whole elements (explicit) or around content (implicit, for primitive ones). */
export function context(number: number, content: Uint8Array, form: 'constructed' | 'primitive'): Uint8Array {
  return element((form === 'constructed' ? 0xa0 : 0x80) | number, content);
}

function element(tag: number, content: Uint8Array): Uint8Array {
  return joined([Uint8Array.from([tag, ...length(content.length)]), content]);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
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
