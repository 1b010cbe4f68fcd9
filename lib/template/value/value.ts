import { isAscii, toBytes, toText } from './bytes';
import { ANY, ANY_MAP, ANY_SLICE, GO_INT, type GoType, INT64, STRING_SLICE } from './types';

/**
 * A Go value. `undefined` is reflect's invalid value (a nil interface that a pipeline has unwrapped), `null` is a nil
 * interface that still has a type. Strings are byte strings (value/bytes), numbers are float64.
 */
export type Value = undefined | null | boolean | number | string | GoInt | GoComplex | GoSlice | GoMap | GoObject;

/** Any integer type; `value` is within the type's range. */
export class GoInt {
  constructor(
    readonly type: GoType,
    readonly value: bigint,
  ) {}
}

export class GoComplex {
  constructor(
    readonly real: number,
    readonly imaginary: number,
  ) {}
}

/** A slice. Templates cannot change one in place, so `items` may be shared. A nil slice has no items. */
export class GoSlice {
  constructor(
    readonly type: GoType,
    readonly items: readonly Value[],
    readonly isNil = false,
  ) {}
}

/** What has methods or fields: times, versions, certificates. */
export abstract class GoObject {
  abstract readonly type: GoType;
  /** What `%v` prints when the type has a String method. */
  text(): string | undefined {
    return undefined;
  }
  /** Fields in order, for printing, comparing and selecting. Names in lower case are not exported. */
  fields(): readonly (readonly [string, Value])[] {
    return [];
  }
}

/**
 * A map with string keys. A map of plain data converts its members when they are read, so that a render converts
 * only the parameters that it uses; the plain data is never changed.
 */
export class GoMap {
  /** The plain data, until all of its members are converted. */
  private source: object | undefined = undefined;
  private convert: ((value: unknown, name: string) => Value) | undefined = undefined;

  private constructor(
    readonly type: GoType,
    private readonly members: Map<string, Value>,
    readonly isNil = false,
  ) {}

  static of(type: GoType = ANY_MAP, members: Iterable<readonly [string, Value]> = []): GoMap {
    return new GoMap(type, new Map(members));
  }

  static nil(type: GoType = ANY_MAP): GoMap {
    return new GoMap(type, new Map(), true);
  }

  /** A map over the own enumerable members of a plain object, converted when read. */
  static over(source: object, convert: (value: unknown, name: string) => Value): GoMap {
    const map = new GoMap(ANY_MAP, new Map());
    map.source = source;
    map.convert = convert;
    return map;
  }

  /** The member, or undefined when there is none (a member that is nil is null). */
  get(key: string): Value {
    const known = this.members.get(key);
    if (known !== undefined || this.source === undefined) return known;
    const name = isAscii(key) ? key : toText(key);
    if (name === undefined || !Object.hasOwn(this.source, name)) return undefined;
    const value = this.convertMember((this.source as { [name: string]: unknown })[name], name);
    this.members.set(key, value);
    return value;
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  set(key: string, value: Value): void {
    this.fill();
    this.members.set(key, value === undefined ? null : value);
  }

  delete(key: string): void {
    this.fill();
    this.members.delete(key);
  }

  get size(): number {
    this.fill();
    return this.members.size;
  }

  /** Keys in the order of their bytes, as Go's templates, fmt and encoders sort them. */
  keys(): string[] {
    this.fill();
    return [...this.members.keys()].sort(compareBytes);
  }

  private fill(): void {
    const { source } = this;
    if (source === undefined) return;
    for (const [name, value] of Object.entries(source)) {
      const key = toBytes(name);
      if (!this.members.has(key)) this.members.set(key, this.convertMember(value, name));
    }
    this.source = undefined;
  }

  private convertMember(value: unknown, name: string): Value {
    const converted = this.convert?.(value, name);
    return converted === undefined ? null : converted;
  }
}

export function compareBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const SMALL_INTS = Array.from({ length: 1024 }, (_, index) => new GoInt(GO_INT, BigInt(index)));

/** A Go `int`. */
export function int(value: number | bigint): GoInt {
  if (typeof value === 'number' && value >= 0 && value < 1024)
    return SMALL_INTS[value] ?? new GoInt(GO_INT, BigInt(value));
  return new GoInt(GO_INT, BigInt.asIntN(64, BigInt(value)));
}

/** A Go `int64`; what is too large wraps around. */
export function int64(value: number | bigint): GoInt {
  return new GoInt(INT64, BigInt.asIntN(64, BigInt(value)));
}

/** A `[]interface{}`. */
export function goList(items: readonly Value[]): GoSlice {
  return new GoSlice(ANY_SLICE, items.map(asElement));
}

/** A `[]string`. */
export function strings(items: readonly string[]): GoSlice {
  return new GoSlice(STRING_SLICE, items);
}

/** Lists and maps contain no invalid values, only nil. */
export function asElement(value: Value): Value {
  return value === undefined ? null : value;
}

/** The zero value of an element type. */
export function zeroOf(type: GoType | undefined): Value {
  switch ((type ?? ANY).kind) {
    case 'string':
      return '';
    case 'int':
      return int(0);
    case 'slice':
      return new GoSlice(type ?? ANY_SLICE, [], true);
    case 'map':
      return GoMap.nil(type);
    default:
      return null;
  }
}
