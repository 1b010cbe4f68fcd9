import type { IncomingMessage } from 'node:http';
import { limits } from '@/lib/limits/limits';
import { badRequest, tooLarge } from './status';

/** The whole body of a request as text. 413 above the limit; the rest is read and thrown away. */
export async function readBody(request: IncomingMessage): Promise<string> {
  return (await readBytes(request)).toString('utf8');
}

/** The same, as bytes. */
export async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  let refused = false;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limits.requestBodyBytes) {
      refused = true;
      chunks.length = 0;
      // Far too long: the connection is not worth reading to its end.
      if (size > 4 * limits.requestBodyBytes) request.destroy();
    } else {
      chunks.push(chunk);
    }
  }
  if (refused) throw tooLarge(`Request entity too large: limit is ${limits.requestBodyBytes}`);
  return Buffer.concat(chunks);
}

/** 400 when a value is nested deeper than the limit. Counts without recursion into what is too deep. */
export function checkDepth(value: unknown, depth = 0): void {
  if (depth > limits.depth) throw badRequest(`the object is nested deeper than ${limits.depth} levels`);
  if (typeof value !== 'object' || value === null) return;
  for (const member of Object.values(value)) checkDepth(member, depth + 1);
}
