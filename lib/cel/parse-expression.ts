import { balancedChain, type OperatorLink } from './balanced-chain';
import { describeFindings, type Finding } from './expression-error';
import { type CelToken, tokensOf } from './lexer';
import { literalValue } from './literal-value';
import { expandMacro, MacroProblem } from './macros';
import { isDeeperThan } from './nesting';
import { call, type Expr, type MapEntry, type StructField } from './syntax-tree';
import { CelTokenReader, SyntaxStop } from './token-reader';

const OPERAND =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";
const OPERAND_OR_CLOSE = OPERAND.replace("'.'", "')', '.'");
const RESERVED = new Set(
  'as break const continue else false for function if import in let loop package namespace null return true var void while'.split(
    ' ',
  ),
);
/** cel-go's limits on the depth and length of an expression. */
const DEEPEST = 250;
const LONGEST = 100_000;
const RELATIONS = new Set(['==', '!=', '<', '<=', '>', '>=', 'in']);

/** The tree of an expression, or cel-go's syntax errors. */
export function parseExpression(text: string): { readonly tree: Expr } | { readonly problem: string } {
  const size = [...text].length;
  if (size > LONGEST) {
    return {
      problem: `ERROR: <input>:-1:0: expression code point size exceeds limit: size: ${size}, limit ${LONGEST}`,
    };
  }
  const findings: Finding[] = [];
  const parser = new Parser(tokensOf(text, findings), findings);
  const tree = parser.whole();
  return tree === undefined || findings.length > 0 ? { problem: describeFindings(text, findings) } : { tree };
}

class Parser extends CelTokenReader {
  private depth = 0;

  whole(): Expr | undefined {
    try {
      const tree = this.expression();
      if (this.token().kind !== 'end') this.unexpected('<EOF>');
      if (isDeeperThan(tree, DEEPEST)) this.stop(-1, 'max recursion depth exceeded');
      return tree;
    } catch (error) {
      if (!(error instanceof SyntaxStop)) throw error;
      return undefined;
    }
  }

  private expression(): Expr {
    if (++this.depth > DEEPEST) this.stop(-1, 'expression recursion limit exceeded: 250');
    const condition = this.chain('||', '_||_', () => this.chain('&&', '_&&_', () => this.relation()));
    const question = this.accept('?');
    const tree = question === undefined ? condition : this.choice(question, condition);
    this.depth--;
    return tree;
  }

  private choice(question: CelToken, condition: Expr): Expr {
    const then = this.chain('||', '_||_', () => this.chain('&&', '_&&_', () => this.relation()));
    this.expect(':');
    const otherwise = this.expression();
    return call(question.at, '_?_:_', condition, then, otherwise);
  }

  private chain(symbol: string, name: string, operand: () => Expr): Expr {
    const first = operand();
    const links: OperatorLink[] = [];
    for (let token = this.accept(symbol); token !== undefined; token = this.accept(symbol)) {
      links.push({ at: token.at, right: operand() });
    }
    return balancedChain(name, first, links);
  }

  private relation(): Expr {
    let left = this.sum();
    while (this.token().kind === 'symbol' && RELATIONS.has(this.token().text)) {
      const { text, at } = this.token();
      this.place++;
      left = call(at, text === 'in' ? '@in' : `_${text}_`, left, this.sum());
    }
    return left;
  }

  private sum(): Expr {
    return this.leftToRight(['+', '-'], () => this.leftToRight(['*', '/', '%'], () => this.unary()));
  }

  private leftToRight(symbols: readonly string[], operand: () => Expr): Expr {
    let left = operand();
    while (this.token().kind === 'symbol' && symbols.includes(this.token().text)) {
      const { text, at } = this.token();
      this.place++;
      left = call(at, `_${text}_`, left, operand());
    }
    return left;
  }

  private unary(): Expr {
    for (const [symbol, name] of [
      ['!', '!_'],
      ['-', '-_'],
    ] as const) {
      if (!this.is(symbol)) continue;
      const { at } = this.token();
      const isNumber = ['float', 'int'].includes(this.token(1).kind);
      if (symbol === '-' && isNumber) return this.member();
      let count = 0;
      while (this.accept(symbol) !== undefined) count++;
      const operand = this.member();
      return count % 2 === 0 ? operand : call(at, name, operand);
    }
    return this.member();
  }

  private member(): Expr {
    let operand = this.primary();
    for (let links = 0; ; links++) {
      if (links > DEEPEST) this.stop(-1, 'expression recursion limit exceeded: 250');
      const dot = this.accept('.');
      if (dot !== undefined) {
        operand = this.selection(operand, dot);
        continue;
      }
      const open = this.accept('[');
      if (open === undefined) return operand;
      const isOptional = this.accept('?') !== undefined;
      const index = this.expression();
      this.expect(']');
      operand = call(open.at, isOptional ? '_[?_]' : '_[_]', operand, index);
    }
  }

  private selection(operand: Expr, dot: CelToken): Expr {
    const question = this.accept('?');
    const { kind, text, at } = this.token();
    if (kind !== 'identifier') this.badName(question !== undefined);
    this.place++;
    if (question !== undefined) return call(dot.at, '_?._', operand, { kind: 'literal', at, value: text });
    const open = this.accept('(');
    if (open === undefined) return { kind: 'select', at: dot.at, operand, field: text, isTest: false };
    return this.called(open.at, text, operand, this.args());
  }

  private badName(isOptional: boolean): never {
    const { at, text, kind } = this.token();
    if (['true', 'false', 'null'].includes(text) && !isOptional) {
      return this.stop(at, `Syntax error: mismatched input '${text}' expecting IDENTIFIER`);
    }
    if (isOptional) return this.unexpected('{IDENTIFIER, ESC_IDENTIFIER}');
    return this.stop(at, `Syntax error: no viable alternative at input '.${kind === 'end' ? '' : text}'`);
  }

  private args(): Expr[] {
    if (this.accept(')') !== undefined) return [];
    if (!this.startsOperand(0)) this.unexpected(OPERAND_OR_CLOSE, this.token(1).text === ')' || this.startsOperand(1));
    const args = [this.expression()];
    while (this.accept(',') !== undefined) args.push(this.expression());
    this.expect(')');
    return args;
  }

  private called(at: number, name: string, target: Expr | undefined, args: readonly Expr[]): Expr {
    const expanded = expandMacro(at, name, target, args);
    if (expanded === undefined) return { kind: 'call', at, name, target, args };
    if (!(expanded instanceof MacroProblem)) return expanded;
    this.findings.push(expanded);
    return { kind: 'literal', at, value: null };
  }

  private primary(): Expr {
    const token = this.token();
    if (token.kind === 'symbol') return this.symbolic(token);
    if (token.kind === 'end') this.unexpected(OPERAND);
    if (token.kind === 'identifier') return this.named('');
    this.place++;
    return { kind: 'literal', at: token.at, value: literalValue(token, '', token.at, this.findings) };
  }

  private symbolic(token: CelToken): Expr {
    const { text, at } = token;
    if (text === 'true' || text === 'false' || text === 'null') {
      this.place++;
      return { kind: 'literal', at, value: text === 'null' ? null : text === 'true' };
    }
    if (text === '-' && ['float', 'int'].includes(this.token(1).kind)) {
      const number = this.token(1);
      this.place += 2;
      return { kind: 'literal', at, value: literalValue(number, '-', at, this.findings) };
    }
    if (text === '(') {
      this.place++;
      const inner = this.expression();
      this.expect(')');
      return inner;
    }
    if (text === '[') return this.list();
    if (text === '{') return this.map();
    if (text === '.' && this.token(1).kind === 'identifier') {
      this.place++;
      return this.named('.');
    }
    return text === '.' ? this.lonelyDot() : this.unexpected(OPERAND, this.startsOperand(1));
  }

  private lonelyDot(): never {
    this.place++;
    const { at, text, kind } = this.token();
    return this.stop(at, `Syntax error: no viable alternative at input '.${kind === 'end' ? '' : text}'`);
  }

  private named(dot: string): Expr {
    const { text, at } = this.token();
    const name = `${dot}${text}`;
    const struct = this.structAhead();
    if (struct !== undefined) return this.struct(dot + struct);
    this.place++;
    if (RESERVED.has(text)) {
      this.findings.push({ at, message: `reserved identifier: ${text}` });
      return { kind: 'literal', at, value: null };
    }
    const open = this.accept('(');
    return open === undefined ? { kind: 'ident', at, name } : this.called(open.at, name, undefined, this.args());
  }

  /** The name of a message such as `a.b.C{…}`, with the position after it; undefined when no brace follows. */
  private structAhead(): string | undefined {
    let ahead = 1;
    let name = this.token().text;
    while (this.token(ahead).text === '.' && this.token(ahead + 1).kind === 'identifier') {
      name += `.${this.token(ahead + 1).text}`;
      ahead += 2;
    }
    if (this.token(ahead).text !== '{' || this.token(ahead).kind !== 'symbol') return undefined;
    this.place += ahead;
    return name;
  }

  private struct(name: string): Expr {
    const { at } = this.expect('{');
    const fields: StructField[] = [];
    while (!this.is('}')) {
      const isOptional = this.accept('?') !== undefined;
      const field = this.token();
      if (field.kind !== 'identifier') this.unexpected("{'}', ',', IDENTIFIER, ESC_IDENTIFIER}");
      this.place++;
      const colon = this.expect(':');
      fields.push({ at: colon.at, name: field.text, value: this.expression(), isOptional });
      if (this.accept(',') === undefined) break;
    }
    this.expect('}');
    return { kind: 'struct', at, name, fields };
  }

  private list(): Expr {
    const { at } = this.expect('[');
    const items: Expr[] = [];
    const optional = new Set<number>();
    while (!this.is(']')) {
      if (this.accept('?') !== undefined) optional.add(items.length);
      items.push(this.expression());
      if (this.accept(',') === undefined) break;
    }
    this.expect(']');
    return { kind: 'list', at, items, optional };
  }

  private map(): Expr {
    const { at } = this.expect('{');
    const entries: MapEntry[] = [];
    while (!this.is('}')) {
      const isOptional = this.accept('?') !== undefined;
      const key = this.expression();
      const colon = this.expect(':');
      entries.push({ at: colon.at, key, value: this.expression(), isOptional });
      if (this.accept(',') === undefined) break;
    }
    this.expect('}');
    return { kind: 'map', at, entries };
  }
}
