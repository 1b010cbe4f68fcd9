import { quote } from '../format/quote';
import {
  countNewlines,
  isAlphaNumeric,
  isAlphaNumericAscii,
  isAsciiDigit,
  isTemplateSpace,
  unicode,
} from './characters';
import { EOF, type State, TemplateScanner } from './scanner';
import { KEYWORDS, type TemplateToken, type TemplateTokenKind } from './token';

const LEFT = '{{';
const RIGHT = '}}';
/** Spaces and `.,|:()`. */
const TERMINATORS: ReadonlySet<number> = new Set([9, 10, 13, 32, 46, 44, 124, 58, 41, 40]);

/**
 * Splits a template (a byte string) into tokens one at a time, as Go's text/template/parse/lex.go does: text outside of
 * actions; words, numbers, quotes and spaces inside; `{{-` and `-}}` remove spaces; an error is a token too, and the last
 * one.
 */
export class Lexer extends TemplateScanner {
  private parens = 0;
  private insideAction = false;

  next(): TemplateToken {
    this.token = undefined;
    if (this.failed) return { kind: 'eof', at: this.at, text: 'EOF', line: this.startLine };
    let state: State = this.insideAction ? this.lexInsideAction : this.lexText;
    while (state !== undefined) state = state.call(this);
    return this.token ?? { kind: 'eof', at: this.at, text: 'EOF', line: this.startLine };
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
      if (trims) while (end > this.start && isTemplateSpace(this.input.charCodeAt(end - 1))) end--;
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
    return this.input[at] === '-' && isTemplateSpace(this.input.charCodeAt(at + 1));
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
    return isTemplateSpace(this.input.charCodeAt(at)) && this.input[at + 1] === '-';
  }

  private skipSpaces(): void {
    while (this.at < this.input.length && isTemplateSpace(this.input.charCodeAt(this.at))) this.at++;
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
    if (isTemplateSpace(rune)) return this.lexSpace();
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
    if (character === '.' && this.at < this.input.length && !isAsciiDigit(this.input.charCodeAt(this.at))) {
      return this.lexName('field');
    }
    if (character === '.' || character === '+' || character === '-' || isAsciiDigit(rune)) {
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
    while (isTemplateSpace(this.peek())) {
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

  private lexQuoted(end: number, kind: TemplateTokenKind, problem: string): State {
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
