/**
 * Splits a stream of bytes into lines and holds at most `maxBytes` of an unfinished one. Lines end with LF or CRLF, which is
 * removed; empty lines are left out. Chunks may end anywhere, also inside a UTF-8 character.
 */
export async function* splitLines(body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<string> {
  let parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    let start = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
      parts.push(chunk.subarray(start, end));
      if (size + end - start > maxBytes) throw tooLong(maxBytes);
      const line = decode(parts);
      if (line !== '') yield line;
      parts = [];
      size = 0;
      start = end + 1;
    }
    if (start < chunk.length) {
      parts.push(chunk.subarray(start));
      size += chunk.length - start;
      if (size > maxBytes) throw tooLong(maxBytes);
    }
  }
  const rest = decode(parts);
  if (rest !== '') yield rest;
}

const LF = 0x0a;

function decode(parts: readonly Uint8Array[]): string {
  const text = Buffer.concat(parts).toString('utf8');
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}

function tooLong(maxBytes: number): RangeError {
  return new RangeError(`A line of the stream is longer than ${maxBytes} bytes.`);
}
