/** The kinds of CEL's types; `opaque` and `struct` types differ by name. */
export type TypeKind =
  | 'any'
  | 'bool'
  | 'bytes'
  | 'double'
  | 'duration'
  | 'dyn'
  | 'error'
  | 'int'
  | 'list'
  | 'map'
  | 'null'
  | 'opaque'
  | 'param'
  | 'string'
  | 'struct'
  | 'timestamp'
  | 'type'
  | 'uint';

/** A type of CEL; `fields` are those of a struct. Types are also values: `type(1) == int`. */
export class CelType {
  constructor(
    readonly kind: TypeKind,
    readonly name: string,
    readonly params: readonly CelType[] = [],
    readonly fields?: ReadonlyMap<string, CelType>,
  ) {}

  /** The form in messages of types that a rule must have: `list(int)`, `google.protobuf.Timestamp`. */
  toString(): string {
    return this.params.length === 0 ? this.name : `${this.name}(${this.params.join(', ')})`;
  }
}

const plain = (kind: TypeKind, name: string = kind) => new CelType(kind, name);

export const BOOL = plain('bool');
export const BYTES = plain('bytes');
export const DOUBLE = plain('double');
export const DURATION = plain('duration', 'google.protobuf.Duration');
export const DYN = plain('dyn');
export const ERROR = plain('error', '*error*');
export const INT = plain('int');
export const NULL = plain('null', 'null_type');
export const STRING = plain('string');
export const TIMESTAMP = plain('timestamp', 'google.protobuf.Timestamp');
export const TYPE = plain('type');
export const UINT = plain('uint');

export const listTypeOf = (item: CelType) => new CelType('list', 'list', [item]);
export const mapTypeOf = (key: CelType, value: CelType) => new CelType('map', 'map', [key, value]);
export const optionalOf = (inner: CelType) => new CelType('opaque', 'optional_type', [inner]);
export const typeOf = (inner: CelType) => new CelType('type', 'type', [inner]);
export const paramType = (name: string) => new CelType('param', name);
export const opaqueType = (name: string) => new CelType('opaque', name);
export const structType = (name: string, fields?: ReadonlyMap<string, CelType>) =>
  new CelType('struct', name, [], fields);

/** True for types of the same kind, name and parameters. */
export function sameType(a: CelType, b: CelType): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || a.params.length !== b.params.length) return false;
  if ((a.kind === 'opaque' || a.kind === 'struct' || a.kind === 'param') && a.name !== b.name) return false;
  return a.params.every((param, index) => sameType(param, b.params[index] ?? DYN));
}

const SHORT: { readonly [kind: string]: string } = {
  duration: 'duration',
  error: '!error!',
  null: 'null',
  timestamp: 'timestamp',
};

/** The form in errors of the checker: `map(string, timestamp)`. */
export function formatType(type: CelType): string {
  const short = SHORT[type.kind];
  if (short !== undefined) return short;
  return type.params.length === 0 ? type.name : `${type.name}(${type.params.map(formatType).join(', ')})`;
}

export const isOptionalType = (type: CelType): boolean => type.kind === 'opaque' && type.name === 'optional_type';
