import { type Random, randomInteger } from '@/lib/random/random';

/** What is put into texts besides single bytes: what parsers are most likely to stumble over. */
const WORDS = [
  'null',
  '{}',
  '[]',
  '-1',
  '1e999',
  '"',
  '\\',
  '\n',
  ': ',
  '- ',
  '&a ',
  '*a',
  '<<: ',
  '__proto__',
  '../',
  '\u0000',
  '999999999999999999999',
  '%',
  'sha256:',
].map((word) => Buffer.from(word));

/** One of these. */
export function pick<T>(random: Random, items: readonly [T, ...T[]]): T {
  return items[randomInteger(random, items.length)] ?? items[0];
}

/** A copy with one to eight changes: bytes replaced, removed, doubled, words put in, ends cut off. */
export function mutated(bytes: Uint8Array, random: Random): Uint8Array {
  let next = Buffer.from(bytes);
  const changes = 1 + randomInteger(random, 8);
  for (let change = 0; change < changes && next.length > 0; change++) {
    const at = randomInteger(random, next.length);
    const length = 1 + randomInteger(random, 16);
    switch (randomInteger(random, 6)) {
      case 0:
        next[at] = randomInteger(random, 256);
        break;
      case 1:
        next[at] = (next[at] ?? 0) ^ (1 << randomInteger(random, 8));
        break;
      case 2:
        next = Buffer.concat([next.subarray(0, at), next.subarray(at + length)]);
        break;
      case 3:
        next = Buffer.concat([next.subarray(0, at), next.subarray(at, at + length), next.subarray(at)]);
        break;
      case 4:
        next = Buffer.concat([
          next.subarray(0, at),
          WORDS[randomInteger(random, WORDS.length)] ?? next,
          next.subarray(at),
        ]);
        break;
      default:
        if (randomInteger(random, 8) === 0) next = next.subarray(0, at);
    }
  }
  return next;
}

/** The same of a text. Bytes that are no UTF-8 become U+FFFD, as they do in files. */
export function mutatedText(text: string, random: Random): string {
  return new TextDecoder().decode(mutated(Buffer.from(text), random));
}
