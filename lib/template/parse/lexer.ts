import { quote, quotePrefix } from '../format/quote';
import { decodeRune } from '../value/bytes';
import { KEYWORDS, type Token, type TokenKind } from './token';

const EOF = -1;
const LEFT = '{{';
const RIGHT = '}}';
/** Spaces and `.,|:()`. */
const TERMINATORS: ReadonlySet<number> = new Set([9, 10, 13, 32, 46, 44, 124, 58, 41, 40]);

type State = (() => State) | undefined;

/**
 * Splits a template (a byte string) into tokens one at a time, as Go's text/template/parse/lex.go does: outside of
 * actions there is text, inside there are words, numbers, quotes and spaces; `{{-` and `-}}` eat spaces; an error is a
 * token too, and the last one.
 */
export class Lexer {
  private at = 0;
  private start = 0;
  private line = 1;
  private startLine = 1;
  private atEnd = false;
  private parens = 0;
  private insideAction = false;
  private failed = false;
  private token: Token | undefined;

  constructor(private readonly input: string) {}

  next(): Token {
    this.token = undefined;
    if (this.failed) return { kind: 'eof', at: this.at, text: 'EOF', line: this.startLine };
    let state: State = this.insideAction ? this.lexInsideAction : this.lexText;
    while (state !== undefined) state = state.call(this);
    return this.token ?? { kind: 'eof', at: this.at, text: 'EOF', line: this.startLine };
  }

  // ---- small moves

  private read(): number {
    if (this.at >= this.input.length) {
      this.atEnd = true;
      return EOF;
    }
    const code = this.input.charCodeAt(this.at);
    if (code < 0x80) {
      this.at++;
      if (code === 10) this.line++;
      return code;
    }
    const { rune, width } = decodeRune(this.input, this.at);
    this.at += width;
    return rune;
  }

  private peek(): number {
    if (this.at >= this.input.length) return EOF;
    const code = this.input.charCodeAt(this.at);
    return code < 0x80 ? code : decodeRune(this.input, this.at).rune;
  }

  private backup(): void {
    if (this.atEnd || this.at === 0) return;
    let width = 1;
    while (width < 4 && (this.input.charCodeAt(this.at - width) & 0xc0) === 0x80) width++;
    if (decodeRune(this.input, this.at - width).width !== width) width = 1;
    this.at -= width;
    if (this.input[this.at] === '\n') this.line--;
  }

  private accept(characters: string): boolean {
    const next = this.input[this.at];
    if (next === undefined || !characters.includes(next)) return false;
    this.at++;
    return true;
  }

  private acceptRun(characters: string): void {
    while (this.accept(characters));
  }

  private startsWith(text: string, at = this.at): boolean {
    return this.input.startsWith(text, at);
  }

  private cut(kind: TokenKind): Token {
    const token = { kind, at: this.start, text: this.input.slice(this.start, this.at), line: this.startLine };
    this.start = this.at;
    this.startLine = this.line;
    return token;
  }

  private emit(kind: TokenKind): State {
    this.token = this.cut(kind);
    return undefined;
  }

  private ignore(): void {
    this.line += countNewlines(this.input, this.start, this.at);
    this.start = this.at;
    this.startLine = this.line;
  }

  private fail(message: string): State {
    this.token = { kind: 'error', at: this.start, text: message, line: this.startLine };
    this.failed = true;
    return undefined;
  }

  // ---- outside of actions

  private lexText(): State {
    const found = this.input.indexOf(LEFT, this.at);
    if (found < 0) {
      this.at = this.input.length;
      if (this.at > this.start) {
        this.line += countNewlines(this.input, this.start, this.at);
        return this.emit('text');
      }
      return this.emit('eof');
    }
    if (found > this.at) {
      const trims = this.isLeftTrim(found + LEFT.length);
      let end = found;
      if (trims) while (end > this.start && isSpace(this.input.charCodeAt(end - 1))) end--;
      this.at = end;
      this.line += countNewlines(this.input, this.start, end);
      const token = this.cut('text');
      this.at = found;
      this.ignore();
      if (token.text.length > 0) {
        this.token = token;
        return undefined;
      }
    }
    return this.lexLeftDelim;
  }

  private isLeftTrim(at: number): boolean {
    return this.input[at] === '-' && isSpace(this.input.charCodeAt(at + 1));
  }

  private lexLeftDelim(): State {
    this.at += LEFT.length;
    const marker = this.isLeftTrim(this.at) ? 2 : 0;
    if (this.startsWith('/*', this.at + marker)) {
      this.at += marker;
      this.ignore();
      return this.lexComment;
    }
    const token = this.cut('leftDelim');
    this.insideAction = true;
    this.at += marker;
    this.ignore();
    this.parens = 0;
    this.token = token;
    return undefined;
  }

  private lexComment(): State {
    const end = this.input.indexOf('*/', this.at + 2);
    if (end < 0) return this.fail('unclosed comment');
    this.at = end + 2;
    const closing = this.rightDelim();
    if (closing === 'none') return this.fail('comment ends before closing delimiter');
    if (closing === 'trim') this.at += 2;
    this.at += RIGHT.length;
    if (closing === 'trim') this.skipSpaces();
    this.ignore();
    return this.lexText;
  }

  private rightDelim(): 'none' | 'plain' | 'trim' {
    if (this.startsWith(RIGHT)) return 'plain';
    return this.isRightTrim(this.at) && this.startsWith(RIGHT, this.at + 2) ? 'trim' : 'none';
  }

  private isRightTrim(at: number): boolean {
    return isSpace(this.input.charCodeAt(at)) && this.input[at + 1] === '-';
  }

  private skipSpaces(): void {
    while (this.at < this.input.length && isSpace(this.input.charCodeAt(this.at))) this.at++;
  }

  private lexRightDelim(): State {
    const trims = this.rightDelim() === 'trim';
    if (trims) {
      this.at += 2;
      this.ignore();
    }
    this.at += RIGHT.length;
    const token = this.cut('rightDelim');
    if (trims) {
      this.skipSpaces();
      this.ignore();
    }
    this.insideAction = false;
    this.token = token;
    return undefined;
  }

  // ---- inside of actions

  private lexInsideAction(): State {
    if (this.rightDelim() !== 'none') {
      return this.parens === 0 ? this.lexRightDelim : this.fail('unclosed left paren');
    }
    const rune = this.read();
    if (rune === EOF) return this.fail('unclosed action');
    if (isSpace(rune)) return this.lexSpace();
    const character = String.fromCodePoint(rune);
    switch (character) {
      case '=':
        return this.emit('assign');
      case ':':
        return this.read() === 61 ? this.emit('declare') : this.fail('expected :=');
      case '|':
        return this.emit('pipe');
      case '"':
        return this.lexQuoted(34, 'string', 'unterminated quoted string');
      case "'":
        return this.lexQuoted(39, 'charConstant', 'unterminated character constant');
      case '`':
        return this.lexRawQuote();
      case '$':
        return this.atTerminator() ? this.emit('variable') : this.lexName('variable');
      case '(':
        this.parens++;
        return this.emit('leftParen');
      case ')':
        this.parens--;
        return this.parens < 0 ? this.fail('unexpected right paren') : this.emit('rightParen');
    }
    if (character === '.' && this.at < this.input.length && !isDigit(this.input.charCodeAt(this.at))) {
      return this.lexName('field');
    }
    if (character === '.' || character === '+' || character === '-' || isDigit(rune)) {
      this.backup();
      this.atEnd = false;
      return this.lexNumber();
    }
    if (isAlphaNumeric(rune)) return this.lexIdentifier();
    return rune > 32 && rune < 127
      ? this.emit('char')
      : this.fail(`unrecognized character in action: ${unicode(rune)}`);
  }

  private lexSpace(): State {
    let count = 1;
    while (isSpace(this.peek())) {
      this.read();
      count++;
    }
    // A space may be part of ` -}}`.
    if (this.isRightTrim(this.at - 1) && this.startsWith(RIGHT, this.at + 1)) {
      this.backup();
      if (count === 1) return this.lexRightDelim;
    }
    return this.emit('space');
  }

  private lexIdentifier(): State {
    this.readWord();
    const word = this.input.slice(this.start, this.at);
    if (!this.atTerminator()) return this.fail(`bad character ${unicode(this.peek())}`);
    const keyword = KEYWORDS.get(word);
    if (keyword !== undefined) return this.emit(keyword);
    return this.emit(word === 'true' || word === 'false' ? 'bool' : 'identifier');
  }

  private lexName(kind: 'field' | 'variable'): State {
    if (this.atTerminator()) return this.emit(kind === 'variable' ? 'variable' : 'dot');
    this.readWord();
    return this.atTerminator() ? this.emit(kind) : this.fail(`bad character ${unicode(this.peek())}`);
  }

  /** Letters, digits and underscores; none of them is a newline. */
  private readWord(): void {
    for (;;) {
      while (isAlphaNumericAscii(this.input.charCodeAt(this.at))) this.at++;
      const rune = this.peek();
      if (rune < 128 || !isAlphaNumeric(rune)) return;
      this.read();
    }
  }

  private atTerminator(): boolean {
    const rune = this.peek();
    return rune === EOF || TERMINATORS.has(rune) || this.startsWith(RIGHT);
  }

  private lexQuoted(end: number, kind: TokenKind, problem: string): State {
    for (;;) {
      let rune = this.read();
      if (rune === 92) {
        rune = this.read();
        if (rune !== EOF && rune !== 10) continue;
      }
      if (rune === EOF || rune === 10) return this.fail(problem);
      if (rune === end) return this.emit(kind);
    }
  }

  private lexRawQuote(): State {
    for (;;) {
      const rune = this.read();
      if (rune === EOF) return this.fail('unterminated raw quoted string');
      if (rune === 96) return this.emit('rawString');
    }
  }

  private lexNumber(): State {
    if (!this.scanNumber()) return this.badNumber();
    const sign = this.peek();
    if (sign !== 43 && sign !== 45) return this.emit('number');
    // Complex: 1+2i without spaces.
    if (!this.scanNumber() || this.input[this.at - 1] !== 'i') return this.badNumber();
    return this.emit('complex');
  }

  private badNumber(): State {
    return this.fail(`bad number syntax: ${quote(this.input.slice(this.start, this.at))}`);
  }

  private scanNumber(): boolean {
    this.accept('+-');
    let digits = '0123456789_';
    if (this.accept('0')) {
      if (this.accept('xX')) digits = '0123456789abcdefABCDEF_';
      else if (this.accept('oO')) digits = '01234567_';
      else if (this.accept('bB')) digits = '01_';
    }
    this.acceptRun(digits);
    if (this.accept('.')) this.acceptRun(digits);
    if ((digits.length === 11 && this.accept('eE')) || (digits.length === 23 && this.accept('pP'))) {
      this.accept('+-');
      this.acceptRun('0123456789_');
    }
    this.accept('i');
    if (!isAlphaNumeric(this.peek())) return true;
    this.read();
    return false;
  }
}

function countNewlines(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', start); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

function isSpace(code: number): boolean {
  return code === 32 || code === 9 || code === 13 || code === 10;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

const LETTER_OR_DIGIT = /^[\p{L}\p{Nd}]$/u;

function isAlphaNumericAscii(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95;
}

function isAlphaNumeric(rune: number): boolean {
  if (rune < 128) return isAlphaNumericAscii(rune);
  return LETTER_OR_DIGIT.test(String.fromCodePoint(rune));
}

/** Go's `%#U`. */
function unicode(rune: number): string {
  return `U+${rune.toString(16).toUpperCase().padStart(4, '0')} '${String.fromCodePoint(rune)}'`;
}

/** How an error message shows a token (Go's item.String). */
export function describeToken(token: Token, keyword: boolean): string {
  if (token.kind === 'eof') return 'EOF';
  if (token.kind === 'error') return token.text;
  if (keyword) return `<${token.text}>`;
  if (token.text.length > 10) return `${quotePrefix(token.text, 10)}...`;
  return quote(token.text);
}
