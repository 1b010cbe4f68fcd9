import type { TemplateBudget } from '../exec/budget';
import { decodeRune } from '../value/bytes';
import { goTypeOf } from '../value/describe';
import { GoInt, type Value } from '../value/value';
import { Flags } from './flags';
import { ValuePrinter } from './print';

/** Go's fmt.Sprintf on byte strings. */
export function sprintf(format: string, values: readonly Value[], budget: TemplateBudget): string {
  return new Formatter(format, values, budget).format();
}

/** Go's fmt.Sprint: a space between two values when neither is a string. */
export function sprint(values: readonly Value[], budget: TemplateBudget): string {
  const printer = new ValuePrinter(budget);
  for (const [index, value] of values.entries()) {
    const isText = typeof value === 'string';
    if (index > 0 && !isText && typeof values[index - 1] !== 'string') printer.out += ' ';
    printer.argument(value, 'v');
  }
  return printer.out;
}

/** Go's fmt.Sprintln. */
export function sprintln(values: readonly Value[], budget: TemplateBudget): string {
  const printer = new ValuePrinter(budget);
  for (const [index, value] of values.entries()) {
    if (index > 0) printer.out += ' ';
    printer.argument(value, 'v');
  }
  return `${printer.out}\n`;
}

const TOO_LARGE = 1_000_000;

class Formatter extends ValuePrinter {
  private at = 0;
  private next = 0;
  private reordered = false;
  private goodIndex = true;
  private afterIndex = false;

  constructor(
    private readonly pattern: string,
    private readonly values: readonly Value[],
    budget: TemplateBudget,
  ) {
    super(budget);
  }

  format(): string {
    const { pattern } = this;
    while (this.at < pattern.length) {
      const percent = pattern.indexOf('%', this.at);
      const end = percent < 0 ? pattern.length : percent;
      this.write(pattern.slice(this.at, end));
      this.at = end + 1;
      if (percent >= 0) {
        this.budget.step();
        this.directive();
      }
    }
    if (!this.reordered && this.next < this.values.length) this.extra();
    return this.out;
  }

  private directive(): void {
    this.flags = new Flags();
    this.goodIndex = true;
    this.afterIndex = false;
    this.readFlags();
    this.readIndex();
    this.readWidth();
    if (this.pattern[this.at] === '.' && this.at + 1 < this.pattern.length) this.readPrecision();
    if (!this.afterIndex) this.readIndex();
    if (this.at >= this.pattern.length) {
      this.write('%!(NOVERB)');
      return;
    }
    const { width } = decodeRune(this.pattern, this.at);
    const verb = this.pattern.slice(this.at, this.at + width);
    this.at += width;
    this.verb(verb);
  }

  private verb(verb: string): void {
    if (verb === '%') this.write('%');
    else if (!this.goodIndex) this.write(`%!${verb}(BADINDEX)`);
    else if (this.next >= this.values.length) this.write(`%!${verb}(MISSING)`);
    else {
      const { flags } = this;
      // A wrong `w` prints its value as `v` does.
      if (verb === 'v' || verb === 'w') {
        [flags.sharpV, flags.sharp] = [flags.sharp, false];
        [flags.plusV, flags.plus] = [flags.plus, false];
      }
      this.argument(this.values[this.next], verb);
      this.next++;
    }
  }

  private readFlags(): void {
    for (; ; this.at++) {
      switch (this.pattern[this.at]) {
        case '#':
          this.flags.sharp = true;
          break;
        case '0':
          this.flags.zero = true;
          break;
        case '+':
          this.flags.plus = true;
          break;
        case '-':
          this.flags.minus = true;
          break;
        case ' ':
          this.flags.space = true;
          break;
        default:
          return;
      }
    }
  }

  /** `[2]` before a star or the verb. */
  private readIndex(): void {
    this.afterIndex = false;
    if (this.pattern[this.at] !== '[') return;
    this.reordered = true;
    const close = this.pattern.indexOf(']', this.at + 1);
    if (this.pattern.length - this.at < 3 || close < 0) {
      this.goodIndex = false;
      this.at++;
      return;
    }
    const text = this.pattern.slice(this.at + 1, close);
    this.at = close + 1;
    const index = /^[0-9]+$/.test(text) && Number(text) <= TOO_LARGE ? Number(text) - 1 : undefined;
    this.afterIndex = index !== undefined;
    if (index !== undefined && index >= 0 && index < this.values.length) this.next = index;
    else this.goodIndex = false;
  }

  private readWidth(): void {
    if (this.pattern[this.at] === '*') {
      this.at++;
      const width = this.integerArgument();
      if (width === undefined) this.write('%!(BADWIDTH)');
      else if (width < 0) {
        this.flags.width = -width;
        this.flags.minus = true;
        this.flags.zero = false;
      } else this.flags.width = width;
      this.afterIndex = false;
      return;
    }
    const width = this.readNumber();
    if (width === undefined) return;
    this.flags.width = width;
    if (this.afterIndex) this.goodIndex = false;
  }

  private readPrecision(): void {
    this.at++;
    if (this.afterIndex) this.goodIndex = false;
    this.readIndex();
    if (this.pattern[this.at] === '*') {
      this.at++;
      const precision = this.integerArgument();
      if (precision === undefined || precision < 0) this.write('%!(BADPREC)');
      else this.flags.precision = precision;
      this.afterIndex = false;
      return;
    }
    this.flags.precision = this.readNumber() ?? 0;
  }

  private readNumber(): number | undefined {
    const start = this.at;
    let value = 0;
    for (; ; this.at++) {
      const digit = this.pattern.charCodeAt(this.at) - 48;
      if (!(digit >= 0 && digit <= 9)) break;
      value = value * 10 + digit;
      if (value > TOO_LARGE) {
        this.at = this.pattern.length;
        return undefined;
      }
    }
    return this.at > start ? value : undefined;
  }

  private integerArgument(): number | undefined {
    const value = this.values[this.next];
    if (this.next >= this.values.length) return undefined;
    this.next++;
    if (!(value instanceof GoInt)) return undefined;
    const number = Number(value.value);
    return Math.abs(number) > TOO_LARGE ? undefined : number;
  }

  private extra(): void {
    this.flags = new Flags();
    this.write('%!(EXTRA ');
    for (const [index, value] of this.values.slice(this.next).entries()) {
      if (index > 0) this.write(', ');
      if (value === undefined || value === null) this.write('<nil>');
      else {
        this.write(`${goTypeOf(value)?.name ?? ''}=`);
        this.argument(value, 'v');
      }
    }
    this.write(')');
  }
}
