import { ReceivedBody } from './received-body';

/** Collects a body into one buffer; more than `maxBytes` is an error, so that nothing outside can fill the memory. */
export async function collectBody(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  if (body instanceof ReceivedBody) return body.whole(maxBytes);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new RangeError(`The answer is larger than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  const [only] = chunks;
  return chunks.length === 1 && Buffer.isBuffer(only) ? only : Buffer.concat(chunks);
}
