import { StringDecoder } from 'node:string_decoder';
import { ReceivedBody } from './received-body';

/** Reads a whole body as UTF-8. @throws RangeError for more than `maxBytes`, so that a server cannot fill the memory */
export async function readText(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  if (body instanceof ReceivedBody) return body.text(maxBytes);
  const decoder = new StringDecoder('utf8');
  let text = '';
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new RangeError(`The response is larger than ${maxBytes} bytes.`);
    text += decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
  }
  return text + decoder.end();
}
