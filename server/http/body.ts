import type { JsonValue } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';
import { Refusal } from './problem';

/**
 * The whole body of a request, at most `maxBytes`; it stops reading at the first byte too many.
 *
 * @throws Refusal 413 when it is larger, 415 when it is compressed (a small body may unpack to a huge one)
 */
export async function readRequestBody(request: Request, maxBytes: number): Promise<Uint8Array> {
  const encoding = request.headers.get('content-encoding');
  if (encoding !== null && encoding !== 'identity') {
    throw new Refusal(415, 'UnsupportedMediaType', 'Send the body without Content-Encoding.');
  }
  const announced = Number(request.headers.get('content-length') ?? 0);
  if (announced > maxBytes) throw tooLarge(maxBytes);
  return request.body === null ? new Uint8Array() : collect(request.body, maxBytes);
}

/**
 * Bytes as JSON; no bytes are undefined.
 *
 * @throws Refusal 400 when it is no JSON, not UTF-8, or nested deeper than lib/limits allows
 */
export function parseRequestJson(bytes: Uint8Array): JsonValue | undefined {
  if (bytes.length === 0) return undefined;
  let value: JsonValue;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as JsonValue;
  } catch {
    throw new Refusal(400, 'BadRequest', 'The body is not valid JSON.');
  }
  if (isDeeperThan(value, limits.depth)) {
    throw new Refusal(400, 'BadRequest', `The body is nested deeper than ${limits.depth} levels.`);
  }
  return value;
}

async function collect(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let total = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    total += value.length;
    if (total > maxBytes) {
      await reader.cancel();
      throw tooLarge(maxBytes);
    }
    chunks.push(value);
  }
  return Buffer.concat(chunks, total);
}

/** Without recursion: JSON.parse accepts a hundred thousand levels, a recursive walk does not. */
function isDeeperThan(value: JsonValue, maxDepth: number): boolean {
  let level: JsonValue[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return true;
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return false;
}

function tooLarge(maxBytes: number): Refusal {
  return new Refusal(413, 'RequestEntityTooLarge', `The body is larger than ${maxBytes} bytes.`);
}
