import { TerminalError } from '@/lib/errors/errors';

/** All bytes of a body. @throws TerminalError when there are more than `maxBytes` */
export async function readAtMost(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  place: string,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      throw new TerminalError(`failed to fetch ${place}: the file is larger than ${maxBytes} bytes`, 'DownloadFailed');
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
