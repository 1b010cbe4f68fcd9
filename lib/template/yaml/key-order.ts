import { runesOf } from '../value/bytes';

const LETTER = /^\p{L}$/u;
const DIGIT = /^\p{Nd}$/u;

function isLetter(rune: number): boolean {
  return LETTER.test(String.fromCodePoint(rune));
}

function isDigit(rune: number | undefined): boolean {
  return rune !== undefined && DIGIT.test(String.fromCodePoint(rune));
}

/** go-yaml's order of keys: like a person, `a9` before `a10` (yaml.v2 sorter.go keyList.Less). */
export function compareKeys(a: string, b: string): number {
  const [left, right] = [runesOf(a), runesOf(b)];
  return isBefore(left, right) ? -1 : isBefore(right, left) ? 1 : 0;
}

function isBefore(left: readonly number[], right: readonly number[]): boolean {
  for (let at = 0; at < left.length && at < right.length; at++) {
    const [l = 0, r = 0] = [left[at], right[at]];
    if (l === r) continue;
    const [letterL, letterR] = [isLetter(l), isLetter(r)];
    if (letterL && letterR) return l < r;
    if (letterL || letterR) return letterR;
    const start = l === 48 || r === 48 ? numberStart(left, at) : 0n;
    const [numberL, endL] = readNumber(left, at, start);
    const [numberR, endR] = readNumber(right, at, start);
    if (numberL !== numberR) return numberL < numberR;
    return endL !== endR ? endL < endR : l < r;
  }
  return left.length < right.length;
}

/** 1 when a digit other than 0 precedes, so that a 0 is not a leading one. */
function numberStart(runes: readonly number[], at: number): bigint {
  for (let before = at - 1; before >= 0 && isDigit(runes[before]); before--) if (runes[before] !== 48) return 1n;
  return 0n;
}

function readNumber(runes: readonly number[], start: number, first: bigint): [bigint, number] {
  let value = first;
  let at = start;
  for (; at < runes.length && isDigit(runes[at]); at++) {
    value = BigInt.asIntN(64, value * 10n + BigInt((runes[at] ?? 48) - 48));
  }
  return [value, at];
}
