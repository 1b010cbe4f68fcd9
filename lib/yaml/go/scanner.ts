import { Cursor, isBlank, isBlankOrEnd, isBreak, type Mark, NUL } from './cursor';
import { scanAnchor, scanDirective, scanTag } from './scan-name';
import { scanBlockScalar, scanPlain, scanQuoted } from './scan-scalar';
import type { PlainKind, YamlToken } from './token';

/** Something that becomes a key when a `:` follows on its line, within 1024 characters. */
interface PossibleKey {
  readonly isRequired: boolean;
  /** Which token of the text it is. */
  readonly number: number;
  readonly mark: Mark;
}

const LONGEST_KEY = 1024;
const [TAB, SPACE, DOUBLE, COMMENT, PERCENT, AND, SINGLE, STAR] = [0x09, 0x20, 0x22, 0x23, 0x25, 0x26, 0x27, 0x2a];
const [COMMA, DASH, COLON, QUESTION, BANG, PIPE, GREATER] = [0x2c, 0x2d, 0x3a, 0x3f, 0x21, 0x7c, 0x3e];
const BRACKETS: ReadonlyMap<number, PlainKind> = new Map([
  [0x5b, 'flow-sequence'],
  [0x5d, 'flow-sequence-end'],
  [0x7b, 'flow-mapping'],
  [0x7d, 'flow-mapping-end'],
]);
/** With these a plain text cannot begin; `-`, `?` and `:` may when no blank follows. */
const INDICATORS = new Set([...'-?:,[]{}#&*!|>\'"%@`'].map((each) => each.charCodeAt(0)));

/**
 * Splits a text into tokens as libyaml 0.1 does (on which go-yaml v2 is based). States: the stack of indentations, the
 * level of brackets, whether a key may begin here, and for each level the possible simple key. Tokens are queued until
 * it is known whether one of them is a key, because the tokens `key` and `block-mapping` precede it.
 */
export class YamlScanner {
  private readonly cursor: Cursor;
  private queue: YamlToken[] = [];
  private head = 0;
  /** The number of tokens that were consumed. */
  private taken = 0;
  private indent = -1;
  private readonly indents: number[] = [];
  private mayBeginKey = true;
  /** One for each level of brackets, the block around them first. */
  private readonly keys: (PossibleKey | undefined)[] = [undefined];
  private readonly keyNumbers = new Map<number, PossibleKey>();

  constructor(text: string) {
    this.cursor = new Cursor(text);
  }

  private get isFlow(): boolean {
    return this.keys.length > 1;
  }

  /** The next token, which stays. */
  peek(): YamlToken {
    for (;;) {
      const token = this.queue[this.head];
      if (token !== undefined) {
        const key = this.keyNumbers.get(this.taken);
        if (key === undefined || !this.isStillPossible(key)) return token;
      }
      this.fetch();
    }
  }

  /** Removes and returns the next token. */
  next(): YamlToken {
    const token = this.peek();
    this.head += 1;
    this.taken += 1;
    if (this.head === this.queue.length) {
      this.queue = [];
      this.head = 0;
    }
    return token;
  }

  private push(token: YamlToken): void {
    this.queue.push(token);
  }

  /** Puts a token before that with a number. */
  private insert(number: number, token: YamlToken): void {
    this.queue.splice(this.head + number - this.taken, 0, token);
  }

  private fetch(): void {
    const { cursor } = this;
    this.skipToToken();
    this.unroll(cursor.column);
    const code = cursor.code();
    const bracket = BRACKETS.get(code);
    const isBeforeBlank = isBlankOrEnd(cursor.code(1));
    if (code === NUL) this.fetchEnd();
    else if (cursor.column === 0 && code === PERCENT) this.fetchDirective();
    else if (cursor.isAtDocumentMark()) this.fetchDocumentMark(code === DASH ? 'document-start' : 'document-end');
    else if (bracket !== undefined) this.fetchBracket(bracket);
    else if (code === COMMA) this.fetchComma();
    else if (code === DASH && isBeforeBlank) this.fetchEntry();
    else if (code === QUESTION && (this.isFlow || isBeforeBlank)) this.fetchKey();
    else if (code === COLON && (this.isFlow || isBeforeBlank)) this.fetchValue();
    else if ((code === PIPE || code === GREATER) && !this.isFlow) this.fetchBlockScalar();
    else this.fetchContent(code);
  }

  private fetchBlockScalar(): void {
    const start = this.cursor.mark();
    this.dropKey();
    this.mayBeginKey = true;
    this.push({ kind: 'scalar', start, text: scanBlockScalar(this.cursor, this.indent), isPlain: false });
  }

  private fetchContent(code: number): void {
    const start = this.cursor.mark();
    const isProperty = code === STAR || code === AND || code === BANG;
    if (!isProperty && code !== SINGLE && code !== DOUBLE && !this.beginsPlain(code)) {
      throw this.cursor.error('found character that cannot start any token');
    }
    this.saveKey();
    this.mayBeginKey = false;
    if (code === STAR || code === AND) {
      this.push({ kind: code === STAR ? 'alias' : 'anchor', start, name: scanAnchor(this.cursor) });
    } else if (code === BANG) this.push({ kind: 'tag', start, tag: scanTag(this.cursor) });
    else if (code === SINGLE || code === DOUBLE) {
      this.push({ kind: 'scalar', start, text: scanQuoted(this.cursor), isPlain: false });
    } else {
      const { text, isAtLineStart } = scanPlain(this.cursor, this.indent + 1, this.isFlow);
      if (isAtLineStart) this.mayBeginKey = true;
      this.push({ kind: 'scalar', start, text, isPlain: true });
    }
  }

  private beginsPlain(code: number): boolean {
    if (code === DASH) return !isBlank(this.cursor.code(1));
    if (!this.isFlow && (code === QUESTION || code === COLON)) return true;
    return !isBlankOrEnd(code) && !INDICATORS.has(code);
  }

  /** Skips blanks, comments and line breaks. A tab is allowed where no key can begin. */
  private skipToToken(): void {
    const { cursor } = this;
    for (;;) {
      const mayTab = this.isFlow || !this.mayBeginKey;
      while (cursor.code() === SPACE || (mayTab && cursor.code() === TAB)) cursor.skip();
      if (cursor.code() === COMMENT) cursor.skipComment();
      if (!isBreak(cursor.code())) return;
      cursor.takeBreak();
      if (!this.isFlow) this.mayBeginKey = true;
    }
  }

  private fetchEnd(): void {
    const { cursor } = this;
    if (cursor.column !== 0) {
      cursor.column = 0;
      cursor.line += 1;
    }
    this.unroll(-1);
    this.dropKey();
    this.mayBeginKey = false;
    this.push({ kind: 'stream-end', start: cursor.mark() });
  }

  private fetchDirective(): void {
    this.unroll(-1);
    this.dropKey();
    this.mayBeginKey = false;
    const start = this.cursor.mark();
    this.push({ kind: 'directive', start, directive: scanDirective(this.cursor) });
  }

  private fetchDocumentMark(kind: 'document-start' | 'document-end'): void {
    this.unroll(-1);
    this.dropKey();
    this.mayBeginKey = false;
    this.push({ kind, start: this.cursor.mark() });
    this.cursor.skip(3);
  }

  private fetchBracket(kind: PlainKind): void {
    const start = this.cursor.mark();
    if (kind === 'flow-sequence' || kind === 'flow-mapping') {
      this.saveKey();
      this.keys.push(undefined);
      this.mayBeginKey = true;
    } else {
      this.dropKey();
      if (this.isFlow) this.keys.pop();
      this.mayBeginKey = false;
    }
    this.cursor.skip();
    this.push({ kind, start });
  }

  private fetchComma(): void {
    this.dropKey();
    this.mayBeginKey = true;
    this.push({ kind: 'flow-entry', start: this.cursor.mark() });
    this.cursor.skip();
  }

  private fetchEntry(): void {
    const start = this.cursor.mark();
    if (!this.isFlow) this.beginBlock('block-sequence', 'block sequence entries are not allowed in this context');
    this.dropKey();
    this.mayBeginKey = true;
    this.cursor.skip();
    this.push({ kind: 'block-entry', start });
  }

  private fetchKey(): void {
    const start = this.cursor.mark();
    if (!this.isFlow) this.beginBlock('block-mapping', 'mapping keys are not allowed in this context');
    this.dropKey();
    this.mayBeginKey = !this.isFlow;
    this.cursor.skip();
    this.push({ kind: 'key', start });
  }

  private fetchValue(): void {
    const key = this.keys.at(-1);
    const start = this.cursor.mark();
    if (key !== undefined && this.isStillPossible(key)) {
      this.insert(key.number, { kind: 'key', start: key.mark });
      this.roll(key.mark, 'block-mapping', key.number);
      this.forget(key);
      this.mayBeginKey = false;
    } else {
      if (!this.isFlow) this.beginBlock('block-mapping', 'mapping values are not allowed in this context');
      this.mayBeginKey = !this.isFlow;
    }
    this.cursor.skip();
    this.push({ kind: 'value', start });
  }

  private beginBlock(kind: PlainKind, problem: string): void {
    if (!this.mayBeginKey) throw this.cursor.error(problem);
    this.roll(this.cursor.mark(), kind);
  }

  /** A deeper column begins a block. */
  private roll(mark: Mark, kind: PlainKind, number?: number): void {
    if (this.isFlow || this.indent >= mark.column) return;
    this.indents.push(this.indent);
    this.indent = mark.column;
    const token: YamlToken = { kind, start: mark };
    if (number === undefined) this.push(token);
    else this.insert(number, token);
  }

  /** A column that is less deep ends blocks. */
  private unroll(column: number): void {
    if (this.isFlow) return;
    while (this.indent > column) {
      this.push({ kind: 'block-end', start: this.cursor.mark() });
      this.indent = this.indents.pop() ?? -1;
    }
  }

  /** Saves a possible simple key; at the column of a block it is required. */
  private saveKey(): void {
    if (!this.mayBeginKey) return;
    this.dropKey();
    const key: PossibleKey = {
      isRequired: !this.isFlow && this.indent === this.cursor.column,
      number: this.taken + this.queue.length - this.head,
      mark: this.cursor.mark(),
    };
    this.keys[this.keys.length - 1] = key;
    this.keyNumbers.set(key.number, key);
  }

  /** Drops the possible simple key of this level. */
  private dropKey(): void {
    const key = this.keys.at(-1);
    if (key === undefined) return;
    if (key.isRequired) throw this.cursor.error("could not find expected ':'", key.mark);
    this.forget(key);
  }

  private forget(key: PossibleKey): void {
    this.keyNumbers.delete(key.number);
    const level = this.keys.lastIndexOf(key);
    if (level >= 0) this.keys[level] = undefined;
  }

  private isStillPossible(key: PossibleKey): boolean {
    const { line, index } = this.cursor;
    if (key.mark.line === line && key.mark.index + LONGEST_KEY >= index) return true;
    if (key.isRequired) throw this.cursor.error("could not find expected ':'", key.mark);
    this.forget(key);
    return false;
  }
}
