import type { TemplateBudget } from '../exec/budget';
import { goTypeOf, isSigned } from '../value/describe';
import { GoComplex, GoInt, GoMap, type GoObject, GoSlice, type Value } from '../value/value';
import { Flags } from './flags';
import { goStringOf, stringerText } from './stringer';

/** fmt's printing of one value (`%v` of fmt.Fprint). */
export function formatValue(value: Value, budget: TemplateBudget): string {
  if (typeof value === 'string') return value;
  const printer = new ValuePrinter(budget);
  printer.argument(value, 'v');
  return printer.out;
}

/** Prints values under a verb and flags, as Go's fmt/print.go does. */
export class ValuePrinter {
  out = '';
  flags = new Flags();
  /** Set while a wrong verb is reported, so that no String method is called. */
  private reporting = false;

  constructor(protected readonly budget: TemplateBudget) {}

  argument(value: Value, verb: string): void {
    if (value === undefined || value === null) {
      if (verb === 'T' || verb === 'v') this.write(this.flags.pad('<nil>'));
      else this.badVerb(verb, value);
      return;
    }
    if (verb === 'T') {
      this.write(this.flags.text(goTypeOf(value)?.name ?? ''));
      return;
    }
    this.value(value, verb, 0);
  }

  protected write(bytes: string): void {
    this.out += bytes;
    this.budget.output(this.out.length);
  }

  private badVerb(verb: string, value: Value): void {
    if (value === undefined || value === null) {
      this.write(`%!${verb}(<nil>)`);
      return;
    }
    this.reporting = true;
    this.write(`%!${verb}(${goTypeOf(value)?.name ?? ''}=`);
    this.value(value, 'v', 0);
    this.write(')');
    this.reporting = false;
  }

  private value(value: Value, verb: string, depth: number): void {
    switch (typeof value) {
      case 'boolean':
        if (verb === 't' || verb === 'v') this.write(this.flags.pad(String(value)));
        else this.badVerb(verb, value);
        return;
      case 'number':
        this.float(value, verb, value);
        return;
      case 'string':
        this.text(value, verb, value);
        return;
      case 'undefined':
        this.write('<nil>');
        return;
    }
    if (value === null) this.write(this.flags.sharpV ? 'interface {}(nil)' : '<nil>');
    else if (!this.method(value, verb)) this.composite(value, verb, depth);
  }

  /** What a String or GoString method prints; false when the value has none for this verb. */
  private method(value: GoInt | GoComplex | GoSlice | GoMap | GoObject, verb: string): boolean {
    if (verb === 'w') {
      this.badVerb(verb, value);
      return true;
    }
    if (this.reporting) return false;
    if (this.flags.sharpV) {
      const text = goStringOf(value);
      if (text === undefined) return false;
      this.write(this.flags.text(text));
      return true;
    }
    if (!'vsxXq'.includes(verb)) return false;
    const text = stringerText(value);
    if (text === undefined) return false;
    this.text(text, verb, value);
    return true;
  }

  private composite(value: GoInt | GoComplex | GoSlice | GoMap | GoObject, verb: string, depth: number): void {
    this.budget.nest(depth);
    if (value instanceof GoInt) this.integer(value, verb);
    else if (value instanceof GoComplex) this.complex(value, verb);
    else if (value instanceof GoSlice) this.slice(value, verb, depth);
    else if (value instanceof GoMap) this.map(value, verb, depth);
    else this.struct(value, verb, depth);
  }

  private integer(value: GoInt, verb: string): void {
    const text = this.integerText(value, verb);
    if (text === undefined) this.badVerb(verb, value);
    else this.write(text);
  }

  private integerText(value: GoInt, verb: string): string | undefined {
    const { flags } = this;
    const bits = BigInt.asUintN(64, value.value);
    switch (verb) {
      case 'v':
        return flags.sharpV && !isSigned(value.type)
          ? flags.hexInteger(value.value)
          : flags.integer(value.value, 10, 'v');
      case 'd':
        return flags.integer(value.value, 10, verb);
      case 'b':
        return flags.integer(value.value, 2, verb);
      case 'o':
      case 'O':
        return flags.integer(value.value, 8, verb);
      case 'x':
      case 'X':
        return flags.integer(value.value, 16, verb);
      case 'c':
        return flags.character(bits);
      case 'q':
        return flags.quotedCharacter(bits);
      case 'U':
        return flags.unicode(bits);
      default:
        return undefined;
    }
  }

  private float(value: number, verb: string, whole: Value): void {
    if (verb === 'v') this.write(this.flags.float(value, 'g', -1));
    else if ('bgGxX'.includes(verb)) this.write(this.flags.float(value, verb, -1));
    else if ('feE'.includes(verb)) this.write(this.flags.float(value, verb, 6));
    else if (verb === 'F') this.write(this.flags.float(value, 'f', 6));
    else this.badVerb(verb, whole);
  }

  private complex(value: GoComplex, verb: string): void {
    if (!'vbgGxXfFeE'.includes(verb)) {
      this.badVerb(verb, value);
      return;
    }
    const { plus } = this.flags;
    this.write('(');
    this.float(value.real, verb, value);
    this.flags.plus = true;
    this.float(value.imaginary, verb, value);
    this.write('i)');
    this.flags.plus = plus;
  }

  private text(bytes: string, verb: string, whole: Value): void {
    if (verb === 'v') this.write(this.flags.sharpV ? this.flags.quoted(bytes) : this.flags.text(bytes));
    else if (verb === 's') this.write(this.flags.text(bytes));
    else if (verb === 'q') this.write(this.flags.quoted(bytes));
    else if (verb === 'x' || verb === 'X') this.write(this.flags.hex(bytes, verb === 'X'));
    else this.badVerb(verb, whole);
  }

  private slice(value: GoSlice, verb: string, depth: number): void {
    const { sharpV } = this.flags;
    const isBytes = value.type.elem?.kind === 'uint8';
    if (isBytes && 'sqxX'.includes(verb)) {
      const codes = value.items.map((item) => (item instanceof GoInt ? Number(item.value) : 0));
      this.text(String.fromCharCode(...codes), verb, value);
      return;
    }
    if (sharpV && value.isNil) {
      this.write(`${value.type.name}(nil)`);
      return;
    }
    this.write(sharpV ? `${value.type.name}{` : '[');
    for (const [index, item] of value.items.entries()) {
      this.budget.step();
      if (index > 0) this.write(sharpV ? ', ' : ' ');
      this.value(item, verb, depth + 1);
    }
    this.write(sharpV ? '}' : ']');
  }

  private map(value: GoMap, verb: string, depth: number): void {
    const { sharpV } = this.flags;
    if (sharpV && value.isNil) {
      this.write(`${value.type.name}(nil)`);
      return;
    }
    this.write(sharpV ? `${value.type.name}{` : 'map[');
    for (const [index, key] of value.keys().entries()) {
      this.budget.step();
      if (index > 0) this.write(sharpV ? ', ' : ' ');
      this.value(key, verb, depth + 1);
      this.write(':');
      this.value(value.get(key), verb, depth + 1);
    }
    this.write(sharpV ? '}' : ']');
  }

  private struct(value: GoObject, verb: string, depth: number): void {
    const { sharpV, plusV } = this.flags;
    const isPointer = value.type.kind === 'ptr';
    if (isPointer && depth === 0) this.write('&');
    if (isPointer && depth > 0) {
      this.write('0xc000010000');
      return;
    }
    if (sharpV) this.write((isPointer ? value.type.elem?.name : value.type.name) ?? '');
    this.write('{');
    for (const [index, [name, member]] of value.fields().entries()) {
      if (index > 0) this.write(sharpV ? ', ' : ' ');
      if (plusV || sharpV) this.write(`${name}:`);
      this.value(member, verb, depth + 1);
    }
    this.write('}');
  }
}
