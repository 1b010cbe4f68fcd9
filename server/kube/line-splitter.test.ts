import { describe, expect, it } from 'vitest';
import { splitLines } from './line-splitter';

async function* chunks(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

async function collect(parts: readonly Uint8Array[], maxBytes = 100): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of splitLines(chunks(parts), maxBytes)) lines.push(line);
  return lines;
}

describe('splitLines', () => {
  it('A15 returns the same lines wherever the bytes are split', async () => {
    const bytes = Buffer.from('{"a":"ü€🎉"}\r\n\n{"b":2}\nrest');
    for (let at = 0; at <= bytes.length; at++) {
      expect(await collect([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(['{"a":"ü€🎉"}', '{"b":2}', 'rest']);
    }
  });

  it('A15 fails for a line beyond the limit', async () => {
    await expect(collect([Buffer.alloc(60, 65), Buffer.alloc(60, 65)])).rejects.toThrow('longer than 100 bytes');
  });
});
