import { randomInteger, randomUuid } from '@/lib/random/random';
import { encodeBase64 } from '../encoding/base64';
import { GoError } from '../template-error';
import { fromArray } from '../value/bytes';
import { splitRunes } from '../value/unicode';
import { int } from '../value/value';
import { type CallContext, fn, type GoFunctionTable } from './define';

const DIGITS = '0123456789';
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PRINTABLE = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('');

/** All randomness comes from the render environment, so the same run renders the same bytes. */
export const randomFunctions: GoFunctionTable = {
  randAlphaNum: fn(['int'], (context, count) => randomText(context, count, LETTERS + DIGITS)),
  randAlpha: fn(['int'], (context, count) => randomText(context, count, LETTERS)),
  randNumeric: fn(['int'], (context, count) => randomText(context, count, DIGITS)),
  randAscii: fn(['int'], (context, count) => randomText(context, count, PRINTABLE)),
  randBytes: fn(['int'], (context, count) => {
    if (count < 0) throw new GoError('runtime error: makeslice: len out of range');
    charge(context, count);
    return encodeBase64(fromArray(context.environment.random.bytes(count)));
  }),
  randInt: fn(['int', 'int'], (context, least, end) => {
    const range = end - least;
    if (range <= 0) throw new GoError('invalid argument to Intn');
    return int(least + draw(context, range));
  }),
  shuffle: fn(['string'], (context, text) => shuffle(context, text)),
  uuidv4: fn([], (context) => randomUuid(context.environment.random)),
};

function charge(context: CallContext, count: number): void {
  context.budget.allocate(count * 2);
  context.budget.step(Math.ceil(count / 8));
}

/** Below 2^53. */
function draw(context: CallContext, range: number): number {
  const { random } = context.environment;
  if (range <= 0x1_0000_0000) return randomInteger(random, range);
  const high = Math.ceil(range / 0x1_0000_0000);
  for (;;) {
    const value = randomInteger(random, high) * 0x1_0000_0000 + randomInteger(random, 0x1_0000_0000);
    if (value < range) return value;
  }
}

function randomText(context: CallContext, count: number, alphabet: string): string {
  if (count <= 0) return '';
  charge(context, count);
  // One byte a character where it can be without bias.
  const limit = 256 - (256 % alphabet.length);
  let result = '';
  while (result.length < count) {
    for (const byte of context.environment.random.bytes(count - result.length)) {
      if (byte < limit) result += alphabet[byte % alphabet.length];
    }
  }
  return result;
}

function shuffle(context: CallContext, text: string): string {
  const runes = splitRunes(text);
  charge(context, runes.length * 4);
  for (let last = runes.length - 1; last > 0; last--) {
    const other = draw(context, last + 1);
    [runes[last], runes[other]] = [runes[other] ?? '', runes[last] ?? ''];
  }
  return runes.join('');
}
