import type { Finding } from './expression-error';
import type { CelToken } from './lexer';

/** Parsing stops at the first syntax error. */
export class SyntaxStop extends Error {}

/** Reads tokens, and throws ANTLR's error messages, since cel-go parses with ANTLR. */
export abstract class CelTokenReader {
  protected place = 0;

  constructor(
    private readonly tokens: readonly CelToken[],
    protected readonly findings: Finding[],
  ) {}

  protected token(ahead = 0): CelToken {
    return this.tokens[Math.min(this.place + ahead, this.tokens.length - 1)] ?? { kind: 'end', text: '<EOF>', at: 0 };
  }

  protected is(text: string): boolean {
    const { kind, text: found } = this.token();
    return kind === 'symbol' && found === text;
  }

  protected accept(text: string): CelToken | undefined {
    if (!this.is(text)) return undefined;
    const token = this.token();
    this.place++;
    return token;
  }

  protected stop(at: number, message: string): never {
    this.findings.push({ at, message });
    throw new SyntaxStop();
  }

  /** ANTLR's message: an extraneous token when the next one would fit, else a mismatched one. */
  protected unexpected(wanted: string, fitsNext = false): never {
    const { at, text } = this.token();
    const isExtra = wanted === '<EOF>' ? this.token(1).kind === 'end' : fitsNext;
    const what = isExtra ? 'extraneous' : 'mismatched';
    return this.stop(at, `Syntax error: ${what} input '${text}' expecting ${wanted}`);
  }

  protected expect(text: string): CelToken {
    const token = this.accept(text);
    if (token !== undefined) return token;
    const { at, text: found } = this.token();
    if (this.token(1).text === text)
      return this.stop(at, `Syntax error: extraneous input '${found}' expecting '${text}'`);
    if (this.startsOperand(0) === (text === ':') || this.token().kind === 'end') {
      if (text !== ':' || this.token().kind !== 'end')
        return this.stop(at, `Syntax error: missing '${text}' at '${found}'`);
    }
    return this.stop(at, `Syntax error: mismatched input '${found}' expecting '${text}'`);
  }

  protected startsOperand(ahead: number): boolean {
    const { kind, text } = this.token(ahead);
    if (kind === 'end') return false;
    return kind !== 'symbol' || ['[', '{', '(', '.', '-', '!', 'true', 'false', 'null'].includes(text);
  }
}
