/** The part of Go's type system that a template can see: names as `%T` prints them, and reflect's kinds. */
export type Kind =
  | 'bool'
  | 'int'
  | 'int8'
  | 'int16'
  | 'int32'
  | 'int64'
  | 'uint'
  | 'uint8'
  | 'uint16'
  | 'uint32'
  | 'uint64'
  | 'float64'
  | 'complex128'
  | 'string'
  | 'interface'
  | 'slice'
  | 'map'
  | 'struct'
  | 'ptr';

export interface GoType {
  /** As `%T` prints it: `map[string]interface {}`. */
  readonly name: string;
  readonly kind: Kind;
  /** Of a slice, a map, a pointer. */
  readonly elem?: GoType;
}

function basic(kind: Kind): GoType {
  return { name: kind, kind };
}

export const GO_BOOL = basic('bool');
export const GO_INT = basic('int');
export const INT8 = basic('int8');
export const INT16 = basic('int16');
export const INT32 = basic('int32');
export const INT64 = basic('int64');
export const GO_UINT = basic('uint');
export const UINT8 = basic('uint8');
export const UINT16 = basic('uint16');
export const UINT32 = basic('uint32');
export const UINT64 = basic('uint64');
export const FLOAT64 = basic('float64');
export const COMPLEX128 = basic('complex128');
export const GO_STRING = basic('string');
export const ANY: GoType = { name: 'interface {}', kind: 'interface' };

/** `[]elem`. */
export function sliceOf(elem: GoType): GoType {
  return { name: `[]${elem.name}`, kind: 'slice', elem };
}

/** `map[string]elem`. */
export function goMapOf(elem: GoType): GoType {
  return { name: `map[string]${elem.name}`, kind: 'map', elem };
}

export const ANY_SLICE = sliceOf(ANY);
export const ANY_SLICES = sliceOf(ANY_SLICE);
export const STRING_SLICE = sliceOf(GO_STRING);
export const INT_SLICE = sliceOf(GO_INT);
export const BYTE_SLICE = sliceOf(UINT8);
export const ANY_MAP = goMapOf(ANY);
export const STRING_MAP = goMapOf(GO_STRING);

export const TIME: GoType = { name: 'time.Time', kind: 'struct' };
export const LOCATION: GoType = {
  name: '*time.Location',
  kind: 'ptr',
  elem: { name: 'time.Location', kind: 'struct' },
};
export const MONTH: GoType = { name: 'time.Month', kind: 'int' };
export const WEEKDAY: GoType = { name: 'time.Weekday', kind: 'int' };
export const GO_DURATION: GoType = { name: 'time.Duration', kind: 'int64' };
export const SEMVER: GoType = { name: 'semver.Version', kind: 'struct' };
export const SEMVER_POINTER: GoType = { name: '*semver.Version', kind: 'ptr', elem: SEMVER };
export const CERTIFICATE: GoType = { name: 'sprig.certificate', kind: 'struct' };
