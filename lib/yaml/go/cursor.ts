/** A position in a text: `line` and `column` count from 0, columns in characters. */
export interface Mark {
  readonly index: number;
  readonly line: number;
  readonly column: number;
}

/** Why Go's readers refuse a text; the message is libyaml's. */
export class GoYamlError extends Error {
  constructor(
    message: string,
    readonly mark: Mark,
    /** The line in Go's message, from 1; 0 for none. For grammar errors it is one less than the real line. */
    readonly goLine: number,
    /** False for errors of characters or values. */
    readonly isSyntax = true,
  ) {
    super(message);
  }
}

export const NUL = 0;
const [TAB, LF, CR, SPACE, NEL, LS, PS] = [0x09, 0x0a, 0x0d, 0x20, 0x85, 0x2028, 0x2029];

/** Line breaks of YAML 1.1. */
export function isBreak(code: number): boolean {
  return code === LF || code === CR || code === NEL || code === LS || code === PS;
}

export function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

export function isBreakOrEnd(code: number): boolean {
  return code === NUL || isBreak(code);
}

export function isBlankOrEnd(code: number): boolean {
  return isBlank(code) || isBreakOrEnd(code);
}

/** Letters, digits, `_` and `-`: the characters of anchor and tag names. */
export function isWord(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x5f ||
    code === 0x2d
  );
}

/** What libyaml reads at all; everything else is a control character. */
const UNREADABLE = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/** Reads a text from start to end. The end reads as NUL, which the text itself cannot contain. */
export class Cursor {
  index = 0;
  line = 0;
  column = 0;
  private readonly text: string;

  constructor(text: string) {
    // A byte order mark at the start defines the encoding.
    const body = text.startsWith('\ufeff') ? text.slice(1) : text;
    const unreadable = UNREADABLE.exec(body);
    if (unreadable !== null) {
      const before = body.slice(0, unreadable.index).split('\n');
      const mark = { index: unreadable.index, line: before.length - 1, column: before.at(-1)?.length ?? 0 };
      throw new GoYamlError('control characters are not allowed', mark, 0, false);
    }
    this.text = `${body}\0\0\0\0`;
  }

  /** The code of the current character, or of one some characters ahead. */
  code(ahead = 0): number {
    return this.text.charCodeAt(this.index + ahead);
  }

  mark(): Mark {
    return { index: this.index, line: this.line, column: this.column };
  }

  /** Over characters of one line. */
  skip(count = 1): void {
    for (let left = count; left > 0; left--) {
      const code = this.text.charCodeAt(this.index);
      this.index += 1;
      // The second half of a character beyond U+FFFF does not count as a column.
      if (code < 0xdc00 || code > 0xdfff) this.column += 1;
    }
  }

  /** The text from a position to the current one. */
  since(index: number): string {
    return this.text.slice(index, this.index);
  }

  /** Skips a line break; returns its value in a scalar: a line feed, U+2028 or U+2029. */
  takeBreak(): string {
    const code = this.code();
    this.index += code === CR && this.code(1) === LF ? 2 : 1;
    this.line += 1;
    this.column = 0;
    return code === LS || code === PS ? String.fromCharCode(code) : '\n';
  }

  skipBlanks(): void {
    while (isBlank(this.code())) this.skip();
  }

  /** Skips a comment to the end of the line. */
  skipComment(): void {
    if (this.code() !== 0x23) return;
    while (!isBreakOrEnd(this.code())) this.skip();
  }

  /** True at `---` or `...` in column 0 with a blank after it. */
  isAtDocumentMark(): boolean {
    return this.column === 0 && (this.isThrice(0x2d) || this.isThrice(0x2e));
  }

  private isThrice(code: number): boolean {
    return this.code() === code && this.code(1) === code && this.code(2) === code && isBlankOrEnd(this.code(3));
  }

  /** An error at this place. */
  error(message: string, context: Mark = this.mark()): GoYamlError {
    return new GoYamlError(message, this.mark(), this.line > 0 ? this.line + 1 : context.line);
  }
}
