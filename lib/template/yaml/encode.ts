import { formatRfc3339 } from '../dates/format';
import { encodeBase64 } from '../encoding/base64';
import type { Budget } from '../exec/budget';
import { formatFloat } from '../format/float';
import { textOf } from '../format/stringer';
import { GoError } from '../template-error';
import { SemverVersion } from '../value/semver-version';
import { GoTime } from '../value/time';
import { DURATION } from '../value/types';
import { GoComplex, GoInt, GoMap, type GoObject, GoSlice, type Value } from '../value/value';
import { compareKeys } from './key-order';
import { chooseStyle, doubleQuoted, isBreak, isMultiline, isValidUtf8, singleQuoted } from './scalar';

/** Keys longer than this are written with `?`. */
const SIMPLE_KEY_BYTES = 128;

/** Writes a value as gopkg.in/yaml.v2 does: block style, sorted keys, long lines whole; ends with a line break. */
export function encodeYaml(value: Value, budget: Budget): string {
  const writer = new YamlWriter(budget);
  writer.node(value, -2, 'root', 0);
  return writer.finish();
}

type Parent = 'root' | 'sequence' | 'mapping';

class YamlWriter {
  private out = '';

  constructor(private readonly budget: Budget) {}

  finish(): string {
    return this.out.endsWith('\n') ? this.out : `${this.out}\n`;
  }

  /** `indent` is the column of the collection around the value (-2 at the root). */
  node(value: Value, indent: number, parent: Parent, level: number): void {
    this.budget.nest(level);
    this.budget.output(this.out.length);
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
      if (parent !== 'root') this.out += ' ';
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
      this.out += parent === 'root' ? '[]' : ' []';
      return;
    }
    // A list in a mapping is not indented.
    const column = parent === 'mapping' ? indent : indent + 2;
    for (const [index, item] of items.entries()) {
      this.begin(column, index === 0, parent);
      this.out += '-';
      this.node(item, column, 'sequence', level + 1);
    }
  }

  private mapping(members: readonly (readonly [string, Value])[], indent: number, parent: Parent, level: number): void {
    if (members.length === 0) {
      this.out += parent === 'root' ? '{}' : ' {}';
      return;
    }
    const column = indent + 2;
    for (const [index, [key, member]] of members.entries()) {
      this.begin(column, index === 0, parent);
      if (isSimpleKey(key)) this.text(key, column, true);
      else {
        this.out += '? ';
        this.text(key, column, false);
        this.startLine(column);
      }
      this.out += ':';
      this.node(member, column, 'mapping', level + 1);
    }
  }

  /** The first entry of a collection in a list stands behind the `-`. */
  private begin(column: number, isFirst: boolean, parent: Parent): void {
    if (!isFirst || parent === 'mapping') this.startLine(column);
    else if (parent === 'sequence') this.out += ' ';
  }

  private startLine(column: number): void {
    if (this.out !== '' && !this.out.endsWith('\n')) this.out += '\n';
    this.out += ' '.repeat(column);
  }

  private scalar(value: Value, indent: number): void {
    if (typeof value === 'string') this.text(value, indent, false);
    else if (value === undefined || value === null) this.out += 'null';
    else if (typeof value === 'boolean') this.out += String(value);
    else if (typeof value === 'number') this.out += floatText(value);
    else if (value instanceof GoTime) this.out += formatRfc3339(value);
    else if (value instanceof GoInt && value.type !== DURATION) this.out += value.value.toString();
    else if (value instanceof GoComplex) throw new GoError('cannot marshal type: complex128');
    else this.text(textOf(value) ?? '', indent, false);
  }

  private text(text: string, indent: number, isKey: boolean): void {
    if (!isValidUtf8(text)) {
      this.out += '!!binary ';
      this.text(encodeBase64(text), indent, isKey);
      return;
    }
    switch (chooseStyle(text, isKey)) {
      case 'plain':
        this.out += text;
        return;
      case 'single':
        this.out += singleQuoted(text);
        return;
      case 'double':
        this.out += doubleQuoted(text);
        return;
      case 'literal':
        this.literal(text, ' '.repeat(Math.max(indent, 0) + 2));
        return;
    }
  }

  /** `|` with hints for leading spaces and for the line breaks at the end. */
  private literal(text: string, spaces: string): void {
    const [first = ''] = text;
    const chomp = !text.endsWith('\n') ? '-' : text === '\n' || isBreak(text.slice(-2, -1)) ? '+' : '';
    this.out += `|${first === ' ' || isBreak(first) ? '2' : ''}${chomp}\n`;
    this.out += text
      .split('\n')
      .map((line) => (line === '' ? '' : spaces + line))
      .join('\n');
  }
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
  return formatFloat(value, 'g', -1);
}
