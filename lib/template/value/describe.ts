import { ANY, COMPLEX128, FLOAT64, GO_BOOL, GO_STRING, type GoType, type Kind } from './types';
import { GoComplex, GoInt, GoMap, type GoObject, GoSlice, type Value } from './value';

/** The Go type of a value; undefined for an invalid one. A nil interface is an `interface {}`. */
export function goTypeOf(value: Value): GoType | undefined {
  switch (typeof value) {
    case 'undefined':
      return undefined;
    case 'string':
      return GO_STRING;
    case 'number':
      return FLOAT64;
    case 'boolean':
      return GO_BOOL;
    default:
      return value === null ? ANY : value instanceof GoComplex ? COMPLEX128 : value.type;
  }
}

/** Name of the type as in Go's messages; `<nil>` for none. */
export function typeName(value: Value): string {
  return goTypeOf(value)?.name ?? '<nil>';
}

/** reflect's kind; `invalid` for nil. */
export function goKindOf(value: Value): Kind | 'invalid' {
  if (value === null) return 'invalid';
  return goTypeOf(value)?.kind ?? 'invalid';
}

const SIGNED: ReadonlySet<string> = new Set<Kind>(['int', 'int8', 'int16', 'int32', 'int64']);

export function isSigned(type: GoType): boolean {
  return SIGNED.has(type.kind);
}

/** text/template's truth: false, 0, nil and what is empty are not true. */
export function isTruth(value: Value): boolean {
  switch (typeof value) {
    case 'string':
      return value.length > 0;
    case 'boolean':
      return value;
    case 'number':
      // NaN is not 0.
      return value !== 0;
    case 'undefined':
      return false;
    default:
      return value !== null && isTrueObject(value);
  }
}

function isTrueObject(value: GoInt | GoComplex | GoSlice | GoMap | GoObject): boolean {
  if (value instanceof GoInt) return value.value !== 0n;
  if (value instanceof GoSlice) return value.items.length > 0;
  if (value instanceof GoMap) return value.size > 0;
  if (value instanceof GoComplex) return value.real !== 0 || value.imaginary !== 0;
  return true;
}
