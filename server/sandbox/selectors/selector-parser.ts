import { labelKeyProblem, labelValueProblem } from '@/lib/kube/label-syntax';

/** `=` and `==` are `in` with one value, `!=` is `notin`. */
export type LabelOperator = 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt';

/** One condition on one label. `values` has one member for `gt` and `lt`, none for `exists` and `!`. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

/** Why a selector cannot be read, in the words of the API server (apimachinery labels.Parse, fields.ParseSelector). */
export class SelectorError extends Error {}

const TOKEN = /==|!=|[=!(),><]|[^ \t\r\n=!(),><]+/g;
/** What the parser finds behind the last token. */
const END = '';
const OPERATORS = new Map<string, LabelOperator>([
  ['in', 'in'],
  ['notin', 'notin'],
  ['=', 'in'],
  ['==', 'in'],
  ['!=', 'notin'],
  ['>', 'gt'],
  ['<', 'lt'],
]);

/** The grammar and the error texts of apimachinery labels.Parse: one token of look-ahead. */
export class LabelParser {
  private readonly tokens: readonly string[];
  private position = 0;

  constructor(text: string) {
    this.tokens = text.match(TOKEN) ?? [];
  }

  parse(): LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    if (this.peek() === END) return requirements;
    if (!this.startsRequirement()) throw unexpected(this.peek(), "!, identifier, or 'end of string'");
    for (;;) {
      requirements.push(this.requirementInContext());
      const after = this.next();
      if (after === END) return requirements;
      if (after !== ',') throw unexpected(after, "',' or 'end of string'");
      if (!this.startsRequirement()) throw unexpected(this.peek(), "identifier after ','");
    }
  }

  private startsRequirement(): boolean {
    return isWord(this.peek()) || this.peek() === '!';
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
    const absent = this.peek() === '!';
    if (absent) this.next();
    const key = this.word();
    const problem = labelKeyProblem(key);
    if (problem !== undefined) throw new SelectorError(`key: Invalid value: ${JSON.stringify(key)}: ${problem}`);
    if (absent || this.isAtEnd()) return { key, operator: absent ? '!' : 'exists', values: [] };
    const given = this.next();
    const operator = OPERATORS.get(given);
    if (operator === undefined) throw unexpected(given, 'in, notin, =, ==, !=, gt, lt');
    const isList = given === 'in' || given === 'notin';
    const values = isList ? this.values() : [this.isAtEnd() ? '' : this.word()];
    checkValues(key, operator, values);
    return { key, operator, values };
  }

  private values(): string[] {
    const open = this.next();
    if (open !== '(') throw new SelectorError(`found '${open}' expected: '('`);
    const values: string[] = [];
    for (;;) {
      values.push(isWord(this.peek()) ? this.next() : '');
      const after = this.next();
      if (after === ')') return [...new Set(values)];
      if (after !== ',') throw unexpected(after, "',' or ')'");
    }
  }

  private word(): string {
    const token = this.next();
    if (!isWord(token)) throw unexpected(token, 'identifier');
    return token;
  }

  private isAtEnd(): boolean {
    return this.peek() === END || this.peek() === ',';
  }

  private peek(): string {
    return this.tokens[this.position] ?? END;
  }

  private next(): string {
    return this.tokens[this.position++] ?? END;
  }
}

function isWord(token: string): boolean {
  return token !== END && !'=!(),><'.includes(token.charAt(0));
}

function unexpected(found: string, expected: string): SelectorError {
  return new SelectorError(`found '${found}', expected: ${expected}`);
}

function checkValues(key: string, operator: LabelOperator, values: readonly string[]): void {
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
}
