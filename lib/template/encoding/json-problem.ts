import { quoteRune } from '../format/quote';

/** Why a text is not JSON: the message of Go's encoding/json. */
export function jsonProblem(text: string): string {
  const scanner = new Scanner(text);
  return scanner.problem() ?? 'unexpected end of JSON input';
}

/** What may come next: a value, a key, the closing bracket instead of it, or what follows a value. */
type Wants = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'after';

/** What is wanted after a token, or what is wrong with it; an empty problem is the end of the text. */
type Step = { readonly wants: Wants; readonly problem?: undefined } | { readonly problem: string };

/** Walks over the text with a stack of open brackets until something is wrong. */
class Scanner {
  private at = 0;
  private readonly open: string[] = [];

  constructor(private readonly text: string) {}

  problem(): string | undefined {
    let wants: Wants = 'value';
    for (;;) {
      this.skipSpaces();
      const next = this.text[this.at];
      if (next === undefined) return undefined;
      const step = this.read(next, wants);
      if (step.problem !== undefined) return step.problem === '' ? undefined : step.problem;
      wants = step.wants;
    }
  }

  private read(next: string, wants: Wants): Step {
    switch (wants) {
      case 'after':
        return this.after(next);
      case 'key':
        return this.key(next);
      case 'keyOrEnd':
        return next === '}' ? this.close() : this.key(next);
      case 'value':
        return this.value(next);
      case 'valueOrEnd':
        return next === ']' ? this.close() : this.value(next);
    }
  }

  private after(next: string): Step {
    const inside = this.open.at(-1);
    if (inside === undefined) return { problem: this.invalid(next, 'after top-level value') };
    if (next === (inside === '{' ? '}' : ']')) return this.close();
    if (next !== ',') {
      return { problem: this.invalid(next, inside === '{' ? 'after object key:value pair' : 'after array element') };
    }
    this.at++;
    return { wants: inside === '{' ? 'key' : 'value' };
  }

  private close(): Step {
    this.open.pop();
    this.at++;
    return { wants: 'after' };
  }

  private key(next: string): Step {
    if (next !== '"') return { problem: this.invalid(next, 'looking for beginning of object key string') };
    const problem = this.string() ?? this.colon();
    return problem === undefined ? { wants: 'value' } : { problem };
  }

  private value(next: string): Step {
    if (next === '{' || next === '[') {
      this.open.push(next);
      this.at++;
      return { wants: next === '{' ? 'keyOrEnd' : 'valueOrEnd' };
    }
    const problem = this.scalar(next);
    return problem === undefined ? { wants: 'after' } : { problem };
  }

  private colon(): string | undefined {
    this.skipSpaces();
    const next = this.text[this.at];
    if (next === undefined) return '';
    if (next !== ':') return this.invalid(next, 'after object key');
    this.at++;
    return undefined;
  }

  /** Empty text: unexpected end of input. */
  private scalar(next: string): string | undefined {
    if (next === '"') return this.string();
    for (const word of ['true', 'false', 'null']) if (next === word[0]) return this.word(word);
    return /[-0-9]/.test(next) ? this.number() : this.invalid(next, 'looking for beginning of value');
  }

  private word(word: string): string | undefined {
    for (const [index, letter] of [...word].entries()) {
      const next = this.text[this.at + index];
      // Go ends the text with a space.
      if (next !== letter)
        return this.invalid(next ?? ' ', `in literal ${word} (expecting ${quoteRune(letter.charCodeAt(0), false)})`);
    }
    this.at += word.length;
    return undefined;
  }

  private number(): string | undefined {
    const rest = this.text.slice(this.at);
    const [whole = ''] = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/.exec(rest) ?? [];
    const next = rest[whole.length];
    if (whole === '') return this.invalid(rest[1] ?? ' ', 'in numeric literal');
    const hasExponent = /[eE]/.test(whole);
    if ((next === '.' && !/[.eE]/.test(whole)) || ((next === 'e' || next === 'E') && !hasExponent)) {
      const bad = rest[whole.length + (/[+-]/.test(rest[whole.length + 1] ?? '') ? 2 : 1)];
      return this.invalid(
        bad ?? ' ',
        next === '.' ? 'after decimal point in numeric literal' : 'in exponent of numeric literal',
      );
    }
    this.at += whole.length;
    return undefined;
  }

  private string(): string | undefined {
    for (this.at++; ; this.at++) {
      const next = this.text[this.at];
      if (next === undefined) return '';
      if (next === '"') break;
      if (next < ' ') return this.invalid(next, 'in string literal');
      if (next !== '\\') continue;
      const escaped = this.text[++this.at];
      if (escaped === undefined) return '';
      if (!'"\\/bfnrtu'.includes(escaped)) return this.invalid(escaped, 'in string escape code');
    }
    this.at++;
    return undefined;
  }

  private skipSpaces(): void {
    while (this.at < this.text.length && ' \t\r\n'.includes(this.text[this.at] ?? 'x')) this.at++;
  }

  private invalid(character: string, where: string): string {
    const shown = character === "'" ? "'\\''" : character === '"' ? "'\"'" : quoteRune(character.charCodeAt(0), false);
    return `invalid character ${shown} ${where}`;
  }
}
