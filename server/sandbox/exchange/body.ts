import type { IncomingMessage } from 'node:http';
import { limits } from '@/lib/limits/limits';
import { badRequest, tooLarge } from '../errors/status';

/** The whole body of a request as text. 413 above the limit; the rest is read and thrown away. */
export async function readBody(request: IncomingMessage): Promise<string> {
  return (await readBytes(request)).toString('utf8');
}

/** The same, as bytes. */
export function readBytes(request: IncomingMessage): Promise<Buffer> {
  // By events: an asynchronous iterator over the request costs as much as the rest of a small one.
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let ended = false;
    const refused = () => tooLarge(`Request entity too large: limit is ${limits.requestBodyBytes}`);
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limits.requestBodyBytes) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0;
      // Far too long: the connection is not worth reading to its end.
      if (size > 4 * limits.requestBodyBytes) request.destroy();
    });
    request.once('end', () => {
      ended = true;
      const [only] = chunks;
      if (size > limits.requestBodyBytes) reject(refused());
      else resolve(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks));
    });
    request.once('error', reject);
    request.once('close', () => {
      // Every request closes; an error is made only for one that did not end, because making one is not cheap.
      if (!ended) reject(size > limits.requestBodyBytes ? refused() : new Error('The body ended early.'));
    });
  });
}

/** 400 when a value is nested deeper than the limit. Counts without recursion into what is too deep. */
export function checkDepth(value: unknown, depth = 0): void {
  if (depth > limits.depth) throw badRequest(`the object is nested deeper than ${limits.depth} levels`);
  if (typeof value !== 'object' || value === null) return;
  for (const member of Object.values(value)) checkDepth(member, depth + 1);
}
