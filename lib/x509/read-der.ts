import { bytesToNumberBE } from '@noble/curves/utils.js';

/** One element of ASN.1 DER: its tag, its content, and all of its bytes. */
export interface DerElement {
  readonly tag: number;
  readonly content: Uint8Array;
  readonly whole: Uint8Array;
}

/** The elements that follow each other in the bytes; undefined when the bytes are not DER. */
export function readElements(bytes: Uint8Array): DerElement[] | undefined {
  const result: DerElement[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at] ?? 0;
    let length = bytes[at + 1];
    let start = at + 2;
    if (length === undefined) return undefined;
    if (length >= 128) {
      const count = length & 0x7f;
      if (count === 0 || count > 4 || start + count > bytes.length) return undefined;
      length = Number(bytesToNumberBE(bytes.subarray(start, start + count)));
      start += count;
    }
    if (start + length > bytes.length) return undefined;
    result.push({ tag, content: bytes.subarray(start, start + length), whole: bytes.subarray(at, start + length) });
    at = start + length;
  }
  return result;
}

/** The members of a SEQUENCE that is all of the bytes. */
export function readSequence(bytes: Uint8Array): DerElement[] | undefined {
  const elements = readElements(bytes);
  const [only] = elements ?? [];
  return elements?.length === 1 && only?.tag === 0x30 ? readElements(only.content) : undefined;
}

/** The numbers of a SEQUENCE of INTEGERs. */
export function readIntegers(bytes: Uint8Array): bigint[] | undefined {
  const members = readSequence(bytes);
  return members?.every(({ tag }) => tag === 2) ? members.map(({ content }) => bytesToNumberBE(content)) : undefined;
}
