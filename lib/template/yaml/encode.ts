import { formatRfc3339 } from '../dates/format';
import { encodeBase64 } from '../encoding/base64';
import type { TemplateBudget } from '../exec/budget';
import { formatGoFloat } from '../format/float';
import { stringerText } from '../format/stringer';
import { GoError } from '../template-error';
import { SemverVersion } from '../value/semver-version';
import { GoTime } from '../value/time';
import { GO_DURATION } from '../value/types';
import { GoComplex, GoInt, GoMap, type GoObject, GoSlice, type Value } from '../value/value';
import { compareKeys } from './key-order';
import {
  chooseStyle,
  doubleQuoted,
  edges,
  indentLines,
  isByteBreak,
  isMultiline,
  isValidUtf8,
  type ScalarStyle,
  singleQuoted,
} from './scalar';

/** Keys longer than this are written with `?`. */
const SIMPLE_KEY_BYTES = 128;

/** Writes a value as gopkg.in/yaml.v2 does: block style, sorted keys, long lines unbroken; ends with a line break. */
export function encodeYaml(value: Value, budget: TemplateBudget): string {
  const writer = new YamlWriter(budget);
  writer.node(value, -2, 'root', 0);
  return writer.finish();
}

type Parent = 'root' | 'sequence' | 'mapping';

class YamlWriter {
  private out = '';
  /** True after a line break; kept, because reading the growing text would be slow. */
  private atLineStart = true;

  constructor(private readonly budget: TemplateBudget) {}

  finish(): string {
    return this.atLineStart && this.out !== '' ? this.out : `${this.out}\n`;
  }

  private write(text: string): void {
    if (text === '') return;
    this.out += text;
    this.atLineStart = text.endsWith('\n');
    this.budget.output(this.out.length);
  }

  /** `indent` is the column of the collection around the value (-2 at the root). */
  node(value: Value, indent: number, parent: Parent, level: number): void {
    this.budget.nest(level);
    if (value instanceof GoSlice) this.sequence(value.items, indent, parent, level);
    else if (value instanceof GoMap) this.map(value, indent, parent, level);
    else if (value !== null && typeof value === 'object' && isStruct(value)) {
      const members = value.fields().filter(([name]) => !/^[a-z_]/.test(name));
      this.mapping(
        members.map(([name, member]) => [name.toLowerCase(), member]),
        indent,
        parent,
        level,
      );
    } else {
      if (parent !== 'root') this.write(' ');
      this.scalar(value, indent);
    }
  }

  private map(value: GoMap, indent: number, parent: Parent, level: number): void {
    const keys = value.keys().sort(compareKeys);
    this.mapping(
      keys.map((key) => [key, value.get(key)]),
      indent,
      parent,
      level,
    );
  }

  private sequence(items: readonly Value[], indent: number, parent: Parent, level: number): void {
    if (items.length === 0) {
      this.write(parent === 'root' ? '[]' : ' []');
      return;
    }
    // A list in a mapping is not indented.
    const column = parent === 'mapping' ? indent : indent + 2;
    for (const [index, item] of items.entries()) {
      this.begin(column, index === 0, parent);
      this.write('-');
      this.node(item, column, 'sequence', level + 1);
    }
  }

  private mapping(members: readonly (readonly [string, Value])[], indent: number, parent: Parent, level: number): void {
    if (members.length === 0) {
      this.write(parent === 'root' ? '{}' : ' {}');
      return;
    }
    const column = indent + 2;
    for (const [index, [key, member]] of members.entries()) {
      this.begin(column, index === 0, parent);
      const isSimple = isSimpleKey(key);
      if (isSimple) this.text(key, column, true);
      else {
        this.write('? ');
        this.text(key, column, false);
        this.startLine(column);
      }
      this.write(':');
      // After the `:` of a long key a collection begins on the same line, as after the `-` of a list.
      this.node(member, column, isSimple ? 'mapping' : 'sequence', level + 1);
    }
  }

  /** The first entry of a collection in a list follows the `-`. */
  private begin(column: number, isFirst: boolean, parent: Parent): void {
    if (!isFirst || parent === 'mapping') this.startLine(column);
    else if (parent === 'sequence') this.write(' ');
  }

  private startLine(column: number): void {
    if (!this.atLineStart) this.write('\n');
    this.write(' '.repeat(column));
  }

  private scalar(value: Value, indent: number): void {
    if (typeof value === 'string') this.text(value, indent, false);
    else if (value === undefined || value === null) this.write('null');
    else if (typeof value === 'boolean') this.write(String(value));
    else if (typeof value === 'number') this.write(floatText(value));
    else if (value instanceof GoTime) this.write(formatRfc3339(value));
    else if (value instanceof GoInt && value.type !== GO_DURATION) this.write(value.value.toString());
    else if (value instanceof GoComplex) throw new GoError('cannot marshal type: complex128');
    else this.text(stringerText(value) ?? '', indent, false);
  }

  private text(text: string, indent: number, isKey: boolean): void {
    if (!isValidUtf8(text)) {
      this.write('!!binary ');
      const lines = encodeBase64(text).match(/.{1,70}/g) ?? [];
      this.styled(
        lines.length > 1 ? `${lines.join('\n')}\n` : lines.join(''),
        lines.length > 1 ? 'literal' : 'plain',
        indent,
      );
      return;
    }
    this.styled(text, chooseStyle(text, isKey), indent);
  }

  private styled(text: string, style: ScalarStyle, indent: number): void {
    switch (style) {
      case 'plain':
        this.write(text);
        return;
      case 'single':
        this.write(singleQuoted(indentLines(text, spacesAround(indent))));
        return;
      case 'double':
        this.write(doubleQuoted(text));
        return;
      case 'literal':
        this.literal(text, spacesAround(indent));
        return;
    }
  }

  /** `|` with hints for leading spaces and for the line breaks at the end. */
  private literal(text: string, spaces: string): void {
    const { first, last, beforeLast } = edges(text);
    const chomp = !isByteBreak(last) ? '-' : beforeLast === '' || isByteBreak(beforeLast) ? '+' : '';
    this.write(`|${first === ' ' || isByteBreak(first) ? '2' : ''}${chomp}\n`);
    this.write(indentLines(`\n${text}`, spaces).slice(1));
  }
}

/** The indentation of a text's lines in a collection at that column. */
function spacesAround(indent: number): string {
  return ' '.repeat(Math.max(indent, 0) + 2);
}

function isStruct(value: object): value is GoObject {
  return !(
    value instanceof GoInt ||
    value instanceof GoComplex ||
    value instanceof GoTime ||
    (value instanceof SemverVersion && !value.isOld)
  );
}

function isSimpleKey(key: string): boolean {
  return key.length <= SIMPLE_KEY_BYTES && !isMultiline(key);
}

function floatText(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  if (!Number.isFinite(value)) return value > 0 ? '.inf' : '-.inf';
  return formatGoFloat(value, 'g', -1);
}
