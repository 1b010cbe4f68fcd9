import { encodeRune, encodeRunes, RUNE_ERROR, runesOf } from '../value/bytes';
import * as unicode from '../value/unicode';
import { splitRunes } from '../value/unicode';
import { type CallContext, fn, type GoFunctionTable } from './define';

/** Sprig's camelcase, kebabcase and snakecase (huandu/xstrings). */
export const caseFunctions: GoFunctionTable = {
  camelcase: fn(['string'], (context, text) => toCamelCase(context, text)),
  kebabcase: fn(['string'], (_, text) => joinWords(text, '-')),
  snakecase: fn(['string'], (_, text) => joinWords(text, '_')),
};

function isConnector(rune: number): boolean {
  return rune === 45 || rune === 95 || unicode.isSpace(rune);
}

/** Connectors vanish and the next letter is raised; all but one of a run of connectors stay. */
function toCamelCase(context: CallContext, text: string): string {
  const runes = runesOf(text);
  let start = 0;
  while (start < runes.length && isConnector(runes[start] ?? 0)) start++;
  let result = encodeRunes(runes.slice(0, start));
  // In a text of connectors only, the last one is written twice.
  if (start === runes.length) return result + encodeRunes(runes.slice(-1));
  const first = runes[start] ?? 0;
  // Sprig 2 lowers everything inside a word, Sprig 3 only the rest of a word that began with capitals.
  const lowersAll = context.compatibility === 'kudo019';
  let lowers = unicode.isUpper(first);
  let pending = unicode.toUpper(first);
  for (const rune of runes.slice(start + 1)) {
    const before = pending;
    if (isConnector(rune) && isConnector(before)) {
      result += encodeRune(before);
      pending = rune;
      continue;
    }
    if (isConnector(before)) {
      lowers = unicode.isUpper(rune);
      pending = unicode.toUpper(rune);
      continue;
    }
    if (lowersAll) pending = unicode.toLower(rune);
    else if (lowers && unicode.isUpper(rune)) pending = unicode.toLower(rune);
    else {
      lowers = lowers && isConnector(rune);
      pending = rune;
    }
    result += encodeRune(before);
  }
  return result + encodeRune(pending);
}

type WordKind = 'number' | 'upper' | 'letters' | 'connector' | 'punctuation' | 'other' | 'end';
interface Word {
  readonly kind: WordKind;
  readonly text: string;
}

const NUMBER = /^\p{N}$/u;
const PUNCTUATION = /^\p{P}$/u;

function isAlphabet(rune: number): boolean {
  if (!unicode.isLetter(rune)) return false;
  if (rune < 128) return true;
  // Scripts without spaces between words do not count as an alphabet.
  return !/^[\u0e00-\u0eff\u1000-\u109f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]$/u.test(
    String.fromCodePoint(rune),
  );
}

function kindOf(rune: number): WordKind {
  const text = String.fromCodePoint(rune);
  if (isConnector(rune)) return 'connector';
  if (PUNCTUATION.test(text)) return 'punctuation';
  if (unicode.isUpper(rune)) return 'upper';
  if (isAlphabet(rune)) return 'letters';
  return NUMBER.test(text) ? 'number' : 'other';
}

/** A character with the bytes before it that are not UTF-8; at the end they belong to the last one. */
interface Unit {
  readonly kind: WordKind;
  readonly isPunctuation: boolean;
  text: string;
}

function unitsOf(text: string): Unit[] {
  const units: Unit[] = [];
  let invalid = '';
  for (const part of splitRunes(text)) {
    const [rune = RUNE_ERROR] = runesOf(part);
    if (rune === RUNE_ERROR) {
      invalid += part;
      continue;
    }
    const isPunctuation = PUNCTUATION.test(String.fromCodePoint(rune));
    units.push({ kind: kindOf(rune), isPunctuation, text: invalid + part });
    invalid = '';
  }
  const last = units.at(-1);
  if (last !== undefined) last.text += invalid;
  else if (invalid !== '') units.push({ kind: 'other', isPunctuation: false, text: invalid });
  return units;
}

/**
 * Runs of one kind; of `HTTPServer` the last capital belongs to the next word. `-` and `_` are punctuation too: after a
 * dot they connect nothing.
 */
function splitWords(text: string): Word[] {
  const units = unitsOf(text);
  const words: Word[] = [];
  const kindAt = (index: number): WordKind => units[index]?.kind ?? 'end';
  for (let at = 0; at < units.length; ) {
    const kind = kindAt(at);
    let end = at + 1;
    if (kind === 'upper') {
      while (kindAt(end) === 'upper') end++;
      const isOne = end === at + 1;
      if (isOne) while (kindAt(end) === 'letters') end++;
      else if (kindAt(end) === 'letters') end--;
    } else if (kind === 'punctuation') while (units[end]?.isPunctuation === true) end++;
    else while (kindAt(end) === kind) end++;
    const word = units.slice(at, end).map((unit) => unit.text);
    words.push({ kind, text: word.join('') });
    at = end;
  }
  return words;
}

/** Words in lower case with the connector between; numbers stay with the letters that follow them. */
function joinWords(text: string, connector: string): string {
  const words = splitWords(text);
  const at = (index: number): WordKind => words[index]?.kind ?? 'end';
  const separates = (kind: WordKind): boolean => kind !== 'connector' && kind !== 'punctuation';
  let result = '';
  const write = (index: number): void => {
    const word = words[index];
    if (word === undefined) return;
    if (word.kind === 'connector') result += connector.repeat(runesOf(word.text).length);
    else result += word.kind === 'upper' ? unicode.lower(word.text) : word.text;
  };
  let index = 0;
  while (index < words.length - 1) {
    const kind = at(index);
    write(index);
    index++;
    if (kind === 'connector' || kind === 'punctuation') continue;
    if (kind !== 'number') {
      if (at(index) !== 'number') {
        if (separates(at(index))) result += connector;
        continue;
      }
      if (index === words.length - 1) continue;
      if (at(index + 1) !== 'letters') {
        write(index++);
        if (separates(at(index))) result += connector;
        continue;
      }
      result += connector;
      write(index++);
    }
    while (at(index) === 'letters' || at(index) === 'number') write(index++);
    if (at(index) !== 'end' && separates(at(index))) result += connector;
  }
  write(index);
  return result;
}
