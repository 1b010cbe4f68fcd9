import { CelType, DYN, isOptionalType, NULL, sameType } from './cel-type';

/** The types of type parameters so far. */
export type Mapping = Map<string, CelType>;

const isDyn = (type: CelType) => type.kind === 'dyn' || type.kind === 'any';
const isDynOrError = (type: CelType) => isDyn(type) || type.kind === 'error';
const find = (mapping: Mapping, type: CelType) => (type.kind === 'param' ? mapping.get(type.name) : undefined);

/** The mapping in which each `given` type is assignable to its `wanted` type; undefined when there is none. */
export function assignable(
  mapping: Mapping,
  given: readonly CelType[],
  wanted: readonly CelType[],
): Mapping | undefined {
  const copy = new Map(mapping);
  return fitsAll(copy, given, wanted) ? copy : undefined;
}

function fitsAll(mapping: Mapping, a: readonly CelType[], b: readonly CelType[]): boolean {
  return a.length === b.length && a.every((each, index) => fits(mapping, each, b[index] ?? DYN));
}

function fits(mapping: Mapping, a: CelType, b: CelType): boolean {
  if (b.kind === 'param') {
    const { isValid, isKnown } = substitutes(mapping, a, b);
    if (isValid) return true;
    if (isKnown) return false;
  }
  if (a.kind === 'param') return substitutes(mapping, b, a).isValid;
  if (isDynOrError(a) || isDynOrError(b)) return true;
  if (a.kind === 'null') return isNullable(b);
  if (b.kind === 'null') return isNullable(a);
  if (a.kind === 'type') return b.kind === 'type';
  if (a.kind === 'opaque' || a.kind === 'list' || a.kind === 'map') {
    return a.kind === b.kind && a.name === b.name && fitsAll(mapping, a.params, b.params);
  }
  return a.kind === b.kind && a.name === b.name;
}

const NULLABLE = new Set(['opaque', 'struct', 'any', 'duration', 'timestamp', 'null']);
const isNullable = (type: CelType) => NULLABLE.has(type.kind) || sameType(type, NULL);

/** Whether the parameter can have `type`, and whether it had a type already. */
function substitutes(mapping: Mapping, type: CelType, param: CelType): { isValid: boolean; isKnown: boolean } {
  if (type.kind === param.kind && sameType(type, param)) return { isValid: true, isKnown: true };
  const known = find(mapping, param);
  if (known === undefined) {
    if (!isFree(mapping, param, type)) return { isValid: false, isKnown: false };
    mapping.set(param.name, type);
    return { isValid: true, isKnown: false };
  }
  if (sameType(type, known)) return { isValid: true, isKnown: true };
  if (!fits(mapping, type, known)) return { isValid: false, isKnown: true };
  const general = mostGeneral(type, known);
  if (isFree(mapping, param, general)) mapping.set(param.name, general);
  return { isValid: true, isKnown: true };
}

/** True when the parameter does not occur in its own type. */
function isFree(mapping: Mapping, param: CelType, within: CelType): boolean {
  if (sameType(param, within)) return false;
  if (within.kind !== 'param') return within.params.every((each) => isFree(mapping, param, each));
  const known = mapping.get(within.name);
  return known === undefined || isFree(mapping, param, known);
}

/** The more general one of two types. */
export const mostGeneral = (a: CelType, b: CelType): CelType => (isAsGeneral(a, b) ? a : b);

function isAsGeneral(a: CelType, b: CelType): boolean {
  if (isDyn(a) || a.kind === 'param') return true;
  if (isDyn(b) || b.kind === 'param' || a.kind !== b.kind) return false;
  if (a.kind === 'opaque' && (a.name !== b.name || a.params.length !== b.params.length)) return false;
  if (a.kind === 'opaque' || a.kind === 'list' || a.kind === 'map') {
    return a.params.every((each, index) => isAsGeneral(each, b.params[index] ?? DYN));
  }
  return a.kind === 'type' || sameType(a, b);
}

/** A type with its parameters replaced; unknown parameters become dyn if wanted. */
export function substitute(mapping: Mapping, type: CelType, opensBecomeDyn: boolean): CelType {
  const found = find(mapping, type);
  if (found !== undefined) return substitute(mapping, found, opensBecomeDyn);
  if (type.kind === 'param') return opensBecomeDyn ? DYN : type;
  if (type.params.length === 0) return type;
  return new CelType(
    type.kind,
    type.name,
    type.params.map((each) => substitute(mapping, each, opensBecomeDyn)),
    type.fields,
  );
}

/** What is in an optional value; other types as they are. */
export function unwrapOptional(type: CelType): { readonly type: CelType; readonly isOptional: boolean } {
  return isOptionalType(type) ? { type: type.params[0] ?? DYN, isOptional: true } : { type, isOptional: false };
}
