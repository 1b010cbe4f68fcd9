import type { JsonValue } from '@/lib/json/json';

/**
 * Reads the YAML of nearly every rendered template, about ten times faster than the full reader: block maps and lists of short
 * scalars in ASCII, JSON lists of strings, literal blocks. Undefined for everything else, errors included: then the full reader
 * decides and writes the message. A test holds that both return the same.
 */
export function readSimpleYaml(text: string, maxDepth: number): JsonValue | undefined {
  if (ODD.test(text)) return undefined;
  try {
    return new Reader(text, maxDepth).document();
  } catch (error) {
    if (error === NOT_SIMPLE) return undefined;
    throw error;
  }
}

const NOT_SIMPLE = new Error('The text is not simple YAML.');

const ENTRY = /^([A-Za-z_][A-Za-z0-9_./-]*):(?: +(.*))?$/;
const QUOTED = /^(?:"[ !#-[\]-~]*"|'[ -&(-~]*')$/;
/** Plain scalars that are strings in YAML 1.1; words with a meaning (such as `yes`) are excluded separately. */
const PLAIN = /^[A-Za-z/][A-Za-z0-9_./+=@-]*(?::[A-Za-z0-9_./+=@-]+)*(?: [A-Za-z0-9_./+=@(),;-]+)*$/;
const INTEGER = /^(?:0|-?[1-9][0-9]{0,14})$/;
const QUANTITY = /^[1-9][0-9]*(?:m|[KMGT]i|[sh])$/;
const TEXTS = /^\[(?:"[ !#-[\]-~]*"(?:, ?"[ !#-[\]-~]*")*)?\]$/;
/** Characters that YAML 1.1 treats as line breaks or refuses. */
const ODD = /[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ufefe\uff00-\ufffd]/;
const LITERAL = /^\|-?$/;
const WORDS: ReadonlySet<string> = new Set(['y', 'n', 'yes', 'no', 'on', 'off', 'true', 'false', 'null']);

class Reader {
  private readonly lines: string[];
  /** The next line: its indentation, and its text without blanks at both ends. */
  private at = -1;
  private indent = 0;
  private line = '';
  private depth = 0;

  constructor(
    text: string,
    private readonly maxDepth: number,
  ) {
    this.lines = text.split('\n');
  }

  document(): JsonValue {
    this.advance();
    if (this.line === '---' && this.indent === 0) this.advance();
    if (this.isAtEnd) throw NOT_SIMPLE;
    const value = this.block();
    if (!this.isAtEnd) throw NOT_SIMPLE;
    return value;
  }

  private get isAtEnd(): boolean {
    return this.at >= this.lines.length;
  }

  /** To the next line that is neither blank nor a comment. At the end the indentation is -1. */
  private advance(): void {
    for (this.at += 1; this.at < this.lines.length; this.at += 1) {
      const raw = this.lines[this.at] ?? '';
      const line = raw.replace(/ +$/, '').replace(/^ +/, '');
      if (line === '' || line.startsWith('#')) continue;
      this.indent = indentOf(raw);
      this.line = line;
      return;
    }
    this.indent = -1;
    this.line = '';
  }

  private block(): JsonValue {
    this.depth += 1;
    if (this.depth > this.maxDepth) throw NOT_SIMPLE;
    const value = this.line.startsWith('- ') ? this.list(this.indent) : this.map(this.indent);
    this.depth -= 1;
    return value;
  }

  private map(indent: number): JsonValue {
    const result: { [key: string]: JsonValue } = {};
    while (this.indent === indent && !this.line.startsWith('- ')) {
      const [, key = '', value = ''] = ENTRY.exec(this.line) ?? [];
      if (key === '' || WORDS.has(key.toLowerCase()) || key === '__proto__' || Object.hasOwn(result, key)) {
        throw NOT_SIMPLE;
      }
      result[key] = LITERAL.test(value) ? this.literal(indent, value) : this.value(indent, value);
    }
    if (this.indent > indent) throw NOT_SIMPLE;
    return result;
  }

  /** What belongs to a key: the rest of its line, or the block below it. */
  private value(indent: number, text: string): JsonValue {
    this.advance();
    if (text !== '') return this.scalar(text, indent);
    const hasBlock = this.indent > indent || (this.indent === indent && this.line.startsWith('- '));
    return hasBlock ? this.block() : null;
  }

  private list(indent: number): JsonValue {
    const result: JsonValue[] = [];
    while (this.indent === indent && this.line.startsWith('- ')) {
      const rest = this.line.slice(2).replace(/^ +/, '');
      if (ENTRY.test(rest)) {
        this.indent += this.line.length - rest.length;
        this.line = rest;
        result.push(this.block());
      } else {
        this.advance();
        result.push(this.scalar(rest, indent));
      }
    }
    if (this.indent > indent) throw NOT_SIMPLE;
    return result;
  }

  /** `text` is in a block of that indentation; the reader is at the line after it. */
  private scalar(text: string, indent: number): JsonValue {
    // A deeper line would go on with the same text.
    if (this.indent > indent) throw NOT_SIMPLE;
    if (QUOTED.test(text)) return text.slice(1, -1);
    if (INTEGER.test(text)) return Number(text);
    if (QUANTITY.test(text)) return text;
    if (PLAIN.test(text)) return wordOf(text);
    if (text === '{}') return {};
    if (TEXTS.test(text)) return JSON.parse(text) as string[];
    throw NOT_SIMPLE;
  }

  /** The lines below that are indented deeper; with `|` they end with one line feed, with `|-` without. */
  private literal(indent: number, style: string): string {
    const content: string[] = [];
    let own = -1;
    for (this.at += 1; this.at < this.lines.length; this.at += 1) {
      const raw = this.lines[this.at] ?? '';
      if (raw === '') {
        content.push('');
        continue;
      }
      const depth = indentOf(raw);
      if (depth === raw.length || /^ *[\t\r]/.test(raw)) throw NOT_SIMPLE;
      if (depth <= indent) break;
      if (own < 0) own = depth;
      if (depth < own) throw NOT_SIMPLE;
      content.push(raw.slice(own));
    }
    // Without a last line feed, or without a line, other rules hold.
    if (own < 0 || (this.isAtEnd && content.at(-1) !== '')) throw NOT_SIMPLE;
    this.at -= 1;
    this.advance();
    const text = content.join('\n').replace(/\n+$/, '');
    return style === '|' ? `${text}\n` : text;
  }
}

function wordOf(text: string): JsonValue {
  if (text === 'true') return true;
  if (text === 'false') return false;
  if (WORDS.has(text.toLowerCase())) throw NOT_SIMPLE;
  return text;
}

function indentOf(raw: string): number {
  let indent = 0;
  while (raw.charCodeAt(indent) === 32) indent += 1;
  return indent;
}
