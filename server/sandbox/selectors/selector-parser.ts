import { labelKeyProblem, labelValueProblem } from '@/lib/kube/label-syntax';
import { type LabelOperator, type LabelRequirement, SelectorError } from './label-requirement';

type TokenKind =
  | 'identifier'
  | 'end'
  | '!'
  | '='
  | '=='
  | '!='
  | '>'
  | '<'
  | '('
  | ')'
  | ','
  | 'in'
  | 'notin'
  | 'error';

interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

const SYMBOLS = new Map<string, TokenKind>(
  ([')', ',', '!', '==', '=', '>', '<', '!=', '('] as const).map((symbol) => [symbol, symbol]),
);
const SPECIAL = '=!(),><';
const WHITESPACE = ' \t\r\n';

/** The grammar and the error texts of apimachinery labels.Parse: a lexer, and a parser with one token of look-ahead. */
export class LabelParser {
  private readonly tokens: readonly Token[];
  private position = 0;

  constructor(text: string) {
    this.tokens = tokenize(text);
  }

  parse(): LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    for (;;) {
      const token = this.peek();
      if (token.kind === 'end') return requirements;
      if (token.kind !== 'identifier' && token.kind !== '!') {
        throw new SelectorError(`found '${token.text}', expected: !, identifier, or 'end of string'`);
      }
      requirements.push(this.requirementInContext());
      const after = this.next();
      if (after.kind === 'end') return requirements;
      if (after.kind !== ',') throw new SelectorError(`found '${after.text}', expected: ',' or 'end of string'`);
      const following = this.peek();
      if (following.kind !== 'identifier' && following.kind !== '!') {
        throw new SelectorError(`found '${following.text}', expected: identifier after ','`);
      }
    }
  }

  private requirementInContext(): LabelRequirement {
    try {
      return this.requirement();
    } catch (error) {
      if (error instanceof SelectorError) throw new SelectorError(`unable to parse requirement: ${error.message}`);
      throw error;
    }
  }

  private requirement(): LabelRequirement {
    const { key, operator } = this.keyAndOperator();
    if (operator !== undefined) return { key, operator, values: [] };
    const given = this.operator();
    const values = given === 'in' || given === 'notin' ? this.values() : [this.exactValue()];
    return checked({ key, operator: given, values });
  }

  private keyAndOperator(): { key: string; operator: 'exists' | '!' | undefined } {
    let token = this.next();
    const absent = token.kind === '!';
    if (absent) token = this.next();
    if (token.kind !== 'identifier') throw new SelectorError(`found '${token.text}', expected: identifier`);
    const problem = labelKeyProblem(token.text);
    if (problem !== undefined) throw new SelectorError(`key: Invalid value: ${JSON.stringify(token.text)}: ${problem}`);
    const following = this.peek();
    if (following.kind === 'end' || following.kind === ',') {
      return { key: token.text, operator: absent ? '!' : 'exists' };
    }
    return { key: token.text, operator: absent ? '!' : undefined };
  }

  private operator(): LabelOperator {
    const token = this.nextRaw();
    switch (token.kind) {
      case 'in':
      case 'notin':
      case '=':
      case '==':
      case '!=':
        return token.kind;
      case '>':
        return 'gt';
      case '<':
        return 'lt';
      default:
        throw new SelectorError(`found '${token.text}', expected: in, notin, =, ==, !=, gt, lt`);
    }
  }

  private values(): string[] {
    const open = this.next();
    if (open.kind !== '(') throw new SelectorError(`found '${open.text}' expected: '('`);
    const first = this.peek();
    if (first.kind === ')') {
      this.next();
      // The empty text, not nothing.
      return [''];
    }
    if (first.kind !== 'identifier' && first.kind !== ',') {
      throw new SelectorError(`found '${first.text}', expected: ',', ')' or identifier`);
    }
    const values = this.identifiers();
    const close = this.next();
    if (close.kind !== ')') throw new SelectorError(`found '${close.text}', expected: ')'`);
    return [...new Set(values)];
  }

  private identifiers(): string[] {
    const values: string[] = [];
    for (;;) {
      const token = this.next();
      if (token.kind === 'identifier') {
        values.push(token.text);
        const after = this.peek();
        if (after.kind === ')') return values;
        if (after.kind !== ',') throw new SelectorError(`found '${after.text}', expected: ',' or ')'`);
      } else if (token.kind === ',') {
        if (values.length === 0) values.push('');
        const after = this.peek();
        if (after.kind === ')') return [...values, ''];
        if (after.kind === ',') {
          this.next();
          values.push('');
        }
      } else {
        throw new SelectorError(`found '${token.text}', expected: ',', or identifier`);
      }
    }
  }

  private exactValue(): string {
    const following = this.peek();
    if (following.kind === 'end' || following.kind === ',') return '';
    const token = this.next();
    if (token.kind !== 'identifier') throw new SelectorError(`found '${token.text}', expected: identifier`);
    return token.text;
  }

  /** In the place of a value, `in` and `notin` are words like any other. */
  private peek(): Token {
    return asValue(this.tokens[this.position] ?? END);
  }

  private next(): Token {
    return asValue(this.nextRaw());
  }

  private nextRaw(): Token {
    return this.tokens[this.position++] ?? END;
  }
}

const END: Token = { kind: 'end', text: '' };

function asValue(token: Token): Token {
  return token.kind === 'in' || token.kind === 'notin' ? { kind: 'identifier', text: token.text } : token;
}

function checked(requirement: LabelRequirement): LabelRequirement {
  const { key, operator, values } = requirement;
  if ((operator === 'gt' || operator === 'lt') && !/^[+-]?\d+$/.test(values[0] ?? '')) {
    const value = JSON.stringify(values[0] ?? '');
    throw new SelectorError(
      `values[0]: Invalid value: ${value}: for 'Gt', 'Lt' operators, the value must be an integer`,
    );
  }
  for (const [index, value] of values.entries()) {
    const problem = labelValueProblem(value);
    if (problem !== undefined) {
      throw new SelectorError(`values[${index}][${key}]: Invalid value: ${JSON.stringify(value)}: ${problem}`);
    }
  }
  return requirement;
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let index = 0;
  while (index < text.length) {
    const char = text[index] ?? '';
    if (WHITESPACE.includes(char)) {
      index++;
    } else if (SPECIAL.includes(char)) {
      const two = text.slice(index, index + 2);
      const symbol = SYMBOLS.has(two) ? two : char;
      tokens.push({ kind: SYMBOLS.get(symbol) ?? 'error', text: symbol });
      index += symbol.length;
    } else {
      const start = index;
      while (index < text.length && !SPECIAL.includes(text[index] ?? '') && !WHITESPACE.includes(text[index] ?? ''))
        index++;
      const word = text.slice(start, index);
      tokens.push({ kind: word === 'in' || word === 'notin' ? word : 'identifier', text: word });
    }
  }
  return tokens;
}
