/** One encoded field of a message. */
export interface WireField {
  readonly number: number;
  /** A varint, or the bytes of a length-delimited or fixed field. */
  readonly value: bigint | Uint8Array;
}

/** Text that is not a protobuf message. */
export class WireError extends Error {}

/** The fields of a message in their order (protocol buffers encoding). */
export function* readFields(bytes: Uint8Array): IterableIterator<WireField> {
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) throw new WireError('unexpected end of a number');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new WireError('a number is too long');
  };
  const take = (length: number): Uint8Array => {
    if (at + length > bytes.length) throw new WireError('unexpected end of a field');
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const number = tag >>> 3;
    switch (tag & 7) {
      case 0:
        yield { number, value: varint() };
        break;
      case 1:
        yield { number, value: take(8) };
        break;
      case 2:
        yield { number, value: take(Number(varint())) };
        break;
      case 5:
        yield { number, value: take(4) };
        break;
      default:
        throw new WireError(`unknown wire type of field ${number}`);
    }
  }
}
