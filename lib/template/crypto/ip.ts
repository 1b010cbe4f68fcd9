/** Go's net.ParseIP: 4 bytes for IPv4 (also when written as IPv6), else 16; undefined for what is no address. */
export function parseIp(text: string): Uint8Array | undefined {
  if (!text.includes(':')) return parseV4(text);
  const bytes = parseV6(text);
  if (bytes === undefined) return undefined;
  const isMapped = bytes.subarray(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
  return isMapped ? bytes.subarray(12) : bytes;
}

function parseV4(text: string): Uint8Array | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9][0-9]{0,2})$/.test(part) && Number(part) < 256)) {
    return undefined;
  }
  return Uint8Array.from(parts, Number);
}

function parseV6(text: string): Uint8Array | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head = '', tail] = halves;
  const before = words(head, tail === undefined);
  const after = tail === undefined ? [] : words(tail, true);
  if (before === undefined || after === undefined) return undefined;
  const missing = 8 - before.length - after.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
  const all = [...before, ...new Array<number>(missing).fill(0), ...after];
  return Uint8Array.from(all.flatMap((word) => [word >> 8, word & 255]));
}

function words(text: string, mayEndInV4: boolean): number[] | undefined {
  if (text === '') return [];
  const parts = text.split(':');
  const last = parts.at(-1) ?? '';
  const v4 = mayEndInV4 && last.includes('.') ? parseV4(last) : undefined;
  const plain = v4 === undefined ? parts : parts.slice(0, -1);
  if (!plain.every((part) => /^[0-9a-fA-F]{1,4}$/.test(part))) return undefined;
  const result = plain.map((part) => Number.parseInt(part, 16));
  if (v4 === undefined) return result;
  const [a = 0, b = 0, c = 0, d = 0] = v4;
  return [...result, a * 256 + b, c * 256 + d];
}
