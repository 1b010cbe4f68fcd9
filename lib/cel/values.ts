import { CelType } from './cel-type';

/** An unsigned number of 64 bits. */
export class CelUint {
  constructor(readonly value: bigint) {}
}

/** A point in time, in nanoseconds since 1970. */
export class CelTimestamp {
  constructor(readonly nanos: bigint) {}
}

/** A span of time in nanoseconds. */
export class CelDuration {
  constructor(readonly nanos: bigint) {}
}

/** A value that may be absent. */
export class CelOptional {
  constructor(readonly value: CelValue | undefined) {}
}

/** A value of a library's own type, such as a quantity. */
export abstract class CelOpaque {
  /** The type's name, as `type(x)` returns it. */
  abstract readonly type: CelType;
  abstract equals(other: CelOpaque): boolean;
}

/** A map of any kind. Keys keep the order that they were put in. */
export abstract class CelMap {
  abstract readonly size: number;
  /** The value of a key; undefined when there is none. */
  abstract find(key: CelValue): CelValue | undefined;
  abstract keys(): CelValue[];
}

/** An object with declared fields; a field without value is absent. */
export abstract class CelObject {
  abstract readonly type: CelType;
  abstract find(field: string): CelValue | undefined;
  abstract equals(other: CelObject): boolean;
}

export type CelValue =
  | bigint
  | number
  | string
  | boolean
  | null
  | Uint8Array
  | CelUint
  | CelTimestamp
  | CelDuration
  | CelOptional
  | CelOpaque
  | CelType
  | CelMap
  | CelObject
  | readonly CelValue[];

/** A runtime error with cel-go's message. */
export class CelError extends Error {}

/** Evaluation stopped, because the cost exceeds its limit. No operator absorbs this error. */
export class CelCostExceeded extends Error {}

export const isCelList = (value: CelValue): value is readonly CelValue[] => Array.isArray(value);

/** True for a value that can be looked up in a set. */
export const isPrimitive = (value: CelValue): boolean =>
  typeof value !== 'object' || (value !== null && typeNameOf(value) === 'uint');

/** The name of a value's type: `int`, `map`, `google.protobuf.Duration`. */
export function typeNameOf(value: CelValue): string {
  switch (typeof value) {
    case 'bigint':
      return 'int';
    case 'number':
      return 'double';
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    default:
      return objectTypeName(value);
  }
}

function objectTypeName(value: Exclude<CelValue, bigint | number | string | boolean>): string {
  if (value === null) return 'null_type';
  if (isCelList(value)) return 'list';
  if (value instanceof CelMap) return 'map';
  if (value instanceof CelUint) return 'uint';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof CelTimestamp) return 'google.protobuf.Timestamp';
  if (value instanceof CelDuration) return 'google.protobuf.Duration';
  if (value instanceof CelOptional) return 'optional_type';
  return value instanceof CelType ? 'type' : value.type.name;
}

/** A key in the form in which equal numbers of any type are the same; undefined for what cannot be a key. */
export function keyText(key: CelValue): string | undefined {
  switch (typeof key) {
    case 'string':
      return `s${key}`;
    case 'boolean':
      return `b${key}`;
    case 'bigint':
      return `n${key}`;
    case 'number':
      return Number.isInteger(key) ? `n${BigInt(key)}` : undefined;
    default:
      return key instanceof CelUint ? `n${key.value}` : undefined;
  }
}

/** A map that an expression created. */
export class EntryMap extends CelMap {
  private readonly entries: ReadonlyMap<string, readonly [CelValue, CelValue]>;

  constructor(entries: Iterable<readonly [CelValue, CelValue]>) {
    super();
    const made = new Map<string, readonly [CelValue, CelValue]>();
    // Every key that is not a string, number or boolean is distinct.
    for (const [key, value] of entries) made.set(keyText(key) ?? `x${made.size}`, [key, value]);
    this.entries = made;
  }

  get size(): number {
    return this.entries.size;
  }

  find(key: CelValue): CelValue | undefined {
    const text = keyText(key);
    return text === undefined ? undefined : this.entries.get(text)?.[1];
  }

  keys(): CelValue[] {
    return [...this.entries.values()].map(([key]) => key);
  }
}
