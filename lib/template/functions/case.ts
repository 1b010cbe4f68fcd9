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
  for (let at = 0; at < units.length; ) {
    const end = endOfWord(units, at);
    const word = units.slice(at, end).map((unit) => unit.text);
    words.push({ kind: units[at]?.kind ?? 'end', text: word.join('') });
    at = end;
  }
  return words;
}

/** The place after the word that begins at `start`. */
function endOfWord(units: readonly Unit[], start: number): number {
  const kindAt = (index: number): WordKind => units[index]?.kind ?? 'end';
  const kind = kindAt(start);
  let end = start + 1;
  if (kind === 'punctuation') {
    while (units[end]?.isPunctuation === true) end++;
    return end;
  }
  while (kindAt(end) === kind) end++;
  if (kind !== 'upper' || kindAt(end) !== 'letters') return end;
  if (end > start + 1) return end - 1;
  while (kindAt(end) === 'letters') end++;
  return end;
}

/** Words in lower case with the connector between; numbers stay with the letters that follow them. */
function joinWords(text: string, connector: string): string {
  return new WordJoiner(splitWords(text), connector).join();
}

class WordJoiner {
  private result = '';
  /** The word that is written next. */
  private index = 0;

  constructor(
    private readonly words: readonly Word[],
    private readonly connector: string,
  ) {}

  join(): string {
    while (this.index < this.words.length - 1) this.joinNext();
    this.write();
    return this.result;
  }

  private joinNext(): void {
    const kind = this.kindAt(this.index);
    this.write();
    if (kind === 'connector' || kind === 'punctuation') return;
    if (kind === 'number') this.joinRun();
    else if (this.kindAt(this.index) !== 'number') this.separate();
    else if (this.index < this.words.length - 1) this.joinNumber();
  }

  /** A number after a word: it begins a run when letters follow it, else it ends the word. */
  private joinNumber(): void {
    if (this.kindAt(this.index + 1) === 'letters') {
      this.result += this.connector;
      this.joinRun();
    } else {
      this.write();
      this.separate();
    }
  }

  private joinRun(): void {
    while (this.kindAt(this.index) === 'letters' || this.kindAt(this.index) === 'number') this.write();
    this.separate();
  }

  private separate(): void {
    const next = this.kindAt(this.index);
    if (next !== 'connector' && next !== 'punctuation' && next !== 'end') this.result += this.connector;
  }

  private write(): void {
    const word = this.words[this.index];
    this.index++;
    if (word === undefined) return;
    if (word.kind === 'connector') this.result += this.connector.repeat(runesOf(word.text).length);
    else this.result += word.kind === 'upper' ? unicode.lower(word.text) : word.text;
  }

  private kindAt(index: number): WordKind {
    return this.words[index]?.kind ?? 'end';
  }
}
