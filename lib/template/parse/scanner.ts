import { decodeRune } from '../value/bytes';
import { countNewlines } from './characters';
import type { TemplateToken, TemplateTokenKind } from './token';

/** What no character is. */
export const EOF = -1;

/** What to do next; undefined when a token is ready. */
export type State = (() => State) | undefined;

/** The small moves of a lexer over a byte string: reading, giving back, and cutting tokens with their lines. */
export abstract class TemplateScanner {
  protected at = 0;
  protected start = 0;
  protected startLine = 1;
  protected token: TemplateToken | undefined;
  protected failed = false;
  protected line = 1;
  protected atEnd = false;

  constructor(protected readonly input: string) {}

  protected read(): number {
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

  protected peek(): number {
    if (this.at >= this.input.length) return EOF;
    const code = this.input.charCodeAt(this.at);
    return code < 0x80 ? code : decodeRune(this.input, this.at).rune;
  }

  protected backup(): void {
    if (this.atEnd || this.at === 0) return;
    let width = 1;
    while (width < 4 && (this.input.charCodeAt(this.at - width) & 0xc0) === 0x80) width++;
    if (decodeRune(this.input, this.at - width).width !== width) width = 1;
    this.at -= width;
    if (this.input[this.at] === '\n') this.line--;
  }

  protected accept(characters: string): boolean {
    const next = this.input[this.at];
    if (next === undefined || !characters.includes(next)) return false;
    this.at++;
    return true;
  }

  protected acceptRun(characters: string): void {
    while (this.accept(characters));
  }

  protected startsWith(text: string, at = this.at): boolean {
    return this.input.startsWith(text, at);
  }

  protected cut(kind: TemplateTokenKind): TemplateToken {
    const token = { kind, at: this.start, text: this.input.slice(this.start, this.at), line: this.startLine };
    this.start = this.at;
    this.startLine = this.line;
    return token;
  }

  protected emit(kind: TemplateTokenKind): State {
    this.token = this.cut(kind);
    return undefined;
  }

  protected ignore(): void {
    this.line += countNewlines(this.input, this.start, this.at);
    this.start = this.at;
    this.startLine = this.line;
  }

  protected fail(message: string): State {
    this.token = { kind: 'error', at: this.start, text: message, line: this.startLine };
    this.failed = true;
    return undefined;
  }
}
