/**
 * The words of Go's encoding/json for text that is not JSON. Clients and tests read them in messages of the API server.
 */
export function goJsonError(text: string): string {
  const scanner = new Scanner(text);
  return scanner.scan() ?? 'unexpected end of JSON input';
}

const LITERALS: { readonly [first: string]: string } = { t: 'true', f: 'false', n: 'null' };

class Scanner {
  private at = 0;

  constructor(private readonly text: string) {}

  /** The first error, or undefined when the text ends too early or is well. */
  scan(): string | undefined {
    const error = this.value();
    if (error !== undefined) return error;
    this.space();
    return this.at < this.text.length ? this.unexpected('after top-level value') : undefined;
  }

  private value(): string | undefined {
    this.space();
    const char = this.text[this.at];
    if (char === undefined) return 'unexpected end of JSON input';
    if (char === '{') return this.object();
    if (char === '[') return this.array();
    if (char === '"') return this.string();
    if (char === '-' || (char >= '0' && char <= '9')) return this.number();
    const literal = LITERALS[char];
    return literal === undefined ? this.unexpected('looking for beginning of value') : this.literal(literal);
  }

  private object(): string | undefined {
    this.at++;
    this.space();
    if (this.take('}')) return undefined;
    for (;;) {
      this.space();
      if (this.at >= this.text.length) return 'unexpected end of JSON input';
      if (this.text[this.at] !== '"') return this.unexpected('looking for beginning of object key string');
      const keyError = this.string();
      if (keyError !== undefined) return keyError;
      this.space();
      if (!this.take(':')) return this.unexpected('after object key');
      const valueError = this.value();
      if (valueError !== undefined) return valueError;
      this.space();
      if (this.take('}')) return undefined;
      if (!this.take(',')) return this.unexpected('after object key:value pair');
    }
  }

  private array(): string | undefined {
    this.at++;
    this.space();
    if (this.take(']')) return undefined;
    for (;;) {
      const error = this.value();
      if (error !== undefined) return error;
      this.space();
      if (this.take(']')) return undefined;
      if (!this.take(',')) return this.unexpected('after array element');
    }
  }

  private string(): string | undefined {
    this.at++;
    for (; this.at < this.text.length; this.at++) {
      const char = this.text[this.at] ?? '';
      if (char === '\\') this.at++;
      else if (char === '"') {
        this.at++;
        return undefined;
      } else if (char < ' ') return this.unexpected('in string literal');
    }
    return 'unexpected end of JSON input';
  }

  private number(): string | undefined {
    const match = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/.exec(this.text.slice(this.at));
    if (match === null) {
      this.at++;
      return this.unexpected('in numeric literal');
    }
    this.at += match[0].length;
    return undefined;
  }

  private literal(word: string): string | undefined {
    for (let index = 0; index < word.length; index++, this.at++) {
      if (this.at >= this.text.length) return 'unexpected end of JSON input';
      if (this.text[this.at] !== word[index]) {
        return this.unexpected(`in literal ${word} (expecting '${word[index]}')`);
      }
    }
    return undefined;
  }

  private space(): void {
    while (this.at < this.text.length && ' \t\r\n'.includes(this.text[this.at] ?? '')) this.at++;
  }

  private take(char: string): boolean {
    if (this.text[this.at] !== char) return false;
    this.at++;
    return true;
  }

  private unexpected(where: string): string {
    const char = this.text[this.at];
    return char === undefined ? 'unexpected end of JSON input' : `invalid character ${quote(char)} ${where}`;
  }
}

/** A character in Go's single quotes. */
function quote(char: string): string {
  if (char === "'") return `'\\''`;
  if (char === '"') return `'"'`;
  const code = char.charCodeAt(0);
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return `'\\u${code.toString(16).padStart(4, '0')}'`;
  return `'${char}'`;
}
