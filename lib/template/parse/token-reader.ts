import { TemplateError } from '../template-error';
import { toLooseText } from '../value/bytes';
import type { Lexer } from './lexer';
import { describeToken, isKeyword, type TemplateToken, type TemplateTokenKind } from './token';

/**
 * Look-ahead of up to three tokens over a lexer, and Go's parse errors, which name the line of the token that was read
 * last from the lexer (text/template/parse Tree).
 */
export class TemplateTokenReader {
  private readonly tokens: TemplateToken[] = [];
  private peeked = 0;
  /** Line where the current action began, 0 outside. */
  protected actionLine = 0;

  constructor(
    protected readonly lexer: Lexer,
    private readonly fileName: string,
  ) {}

  protected next(): TemplateToken {
    if (this.peeked > 0) this.peeked--;
    else this.tokens[0] = this.lexer.next();
    return this.tokens[this.peeked] ?? this.lexer.next();
  }

  protected backup(): void {
    this.peeked++;
  }

  protected backup2(first: TemplateToken): void {
    this.tokens[1] = first;
    this.peeked = 2;
  }

  protected backup3(second: TemplateToken, first: TemplateToken): void {
    this.tokens[1] = first;
    this.tokens[2] = second;
    this.peeked = 3;
  }

  protected peek(): TemplateToken {
    const token = this.next();
    this.backup();
    return token;
  }

  protected nextNonSpace(): TemplateToken {
    let token = this.next();
    while (token.kind === 'space') token = this.next();
    return token;
  }

  protected peekNonSpace(): TemplateToken {
    const token = this.nextNonSpace();
    this.backup();
    return token;
  }

  protected expect(kind: TemplateTokenKind, clause: string): TemplateToken {
    const token = this.nextNonSpace();
    return token.kind === kind ? token : this.unexpected(token, clause);
  }

  protected line(): number {
    return this.tokens[0]?.line ?? 1;
  }

  protected fail(message: string): never {
    const line = this.line();
    const template = toLooseText(this.fileName);
    throw new TemplateError(
      'parse',
      { template, line, column: -1 },
      `template: ${template}:${line}: ${toLooseText(message)}`,
    );
  }

  protected unexpected(token: TemplateToken, clause: string): never {
    if (token.kind !== 'error') this.fail(`unexpected ${describeToken(token, isKeyword(token.kind))} in ${clause}`);
    let extra = '';
    if (this.actionLine !== 0 && this.actionLine !== token.line) {
      extra = ` in action started at ${this.fileName}:${this.actionLine}`;
      if (token.text.endsWith(' action')) extra = extra.slice(' in action'.length);
    }
    return this.fail(token.text + extra);
  }
}
