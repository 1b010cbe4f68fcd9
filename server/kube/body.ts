import { ReceivedBody } from './received-body';

/** Collects a body into one buffer. @throws RangeError for more than `maxBytes`, so that a server cannot fill the memory */
export async function collectBody(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  if (body instanceof ReceivedBody) return body.whole(maxBytes);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new RangeError(`The response is larger than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  const [only] = chunks;
  return chunks.length === 1 && Buffer.isBuffer(only) ? only : Buffer.concat(chunks);
}
