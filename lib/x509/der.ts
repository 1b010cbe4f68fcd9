import { bytesToNumberBE, concatBytes, numberToVarBytesBE } from '@noble/curves/utils.js';
import { rfc3339 } from '@/lib/clock/rfc3339';

/** ASN.1 DER (X.690): enough to write certificates and keys. Each function returns a whole element. */

export function element(tag: number, ...content: readonly Uint8Array[]): Uint8Array {
  const body = concatBytes(...content);
  return concatBytes(Uint8Array.of(tag, ...lengthBytes(body.length)), body);
}

function lengthBytes(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 | bytes.length, ...bytes];
}

export const sequence = (...members: readonly Uint8Array[]): Uint8Array => element(0x30, ...members);
export const derSet = (...members: readonly Uint8Array[]): Uint8Array => element(0x31, ...members);
export const octets = (content: Uint8Array): Uint8Array => element(0x04, content);
export const derBoolean = (value: boolean): Uint8Array => element(0x01, Uint8Array.of(value ? 0xff : 0));
export const DER_NULL = element(0x05);

/** A bit string; `unused` bits of the last byte do not count. */
export const bits = (content: Uint8Array, unused = 0): Uint8Array => element(0x03, Uint8Array.of(unused), content);

/** `[number]` around whole elements (explicit tagging). */
export const tagged = (number: number, ...content: readonly Uint8Array[]): Uint8Array =>
  element(0xa0 | number, ...content);

/** `[number]` in place of the tag of a primitive element (implicit tagging). */
export const retagged = (number: number, content: Uint8Array): Uint8Array => element(0x80 | number, content);

/** An integer that is not negative, as a number or as big-endian bytes. */
export function derInteger(value: bigint | Uint8Array): Uint8Array {
  const digits = numberToVarBytesBE(typeof value === 'bigint' ? value : bytesToNumberBE(value));
  return (digits[0] ?? 0) >= 0x80 ? element(0x02, Uint8Array.of(0), digits) : element(0x02, digits);
}

/** @param dotted such as `1.2.840.10045.4.3.2` */
export function objectId(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return element(0x06, Uint8Array.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const digits = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) digits.unshift((rest % 128) | 0x80);
  return digits;
}

/** PrintableString if the characters allow it, else UTF8String, as Go's encoding/asn1 chooses. The bytes are UTF-8. */
export function text(utf8: Uint8Array): Uint8Array {
  const isPrintable = utf8.every((byte) => PRINTABLE.includes(String.fromCharCode(byte)));
  return element(isPrintable ? 0x13 : 0x0c, utf8);
}

const PRINTABLE = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 '()+,-./:=?";

/** Whole seconds in UTC: UTCTime from 1950 to 2049, GeneralizedTime otherwise (RFC 5280 §4.1.2.5). Years 0 to 9999. */
export function time(ms: number): Uint8Array {
  const digits = rfc3339(ms).replace(/[-:T]/g, '');
  const isShort = digits >= '1950' && digits < '2050';
  return element(isShort ? 0x17 : 0x18, new TextEncoder().encode(isShort ? digits.slice(2) : digits));
}
