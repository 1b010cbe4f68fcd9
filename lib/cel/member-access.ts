import { CelError, CelMap, CelObject, CelOptional, CelUint, type CelValue, isCelList, typeNameOf } from './values';

/** `operand.field`, or for a test whether it exists. */
export function celField(operand: CelValue, field: string, isTest: boolean): CelValue {
  if (isCelList(operand)) return listItem(operand, field);
  if (!(operand instanceof CelMap || operand instanceof CelObject)) {
    if (isTest) return false;
    throw notIndexed(field);
  }
  const found = operand.find(field);
  // A nullable field with the value null counts as absent.
  if (isTest) return found !== undefined && !(found === null && operand instanceof CelObject);
  if (found === undefined) throw new CelError(`no such key: ${field}`);
  return found;
}

/** `operand[key]`. */
export function itemOf(operand: CelValue, key: CelValue): CelValue {
  if (isCelList(operand)) return listItem(operand, key);
  if (operand instanceof CelObject && typeof key === 'string') return celField(operand, key, false);
  if (!(operand instanceof CelMap)) throw notIndexed(shown(key));
  const found = operand.find(key);
  if (found === undefined) throw new CelError(`no such key: ${shown(key)}`);
  return found;
}

/** `operand[?key]` and `operand.?key`: undefined for an absent member. */
export function optionalItemOf(operand: CelValue, key: CelValue): CelValue | undefined {
  if (isCelList(operand)) {
    const index = indexOf(key);
    return index === undefined ? undefined : operand[index];
  }
  if (operand instanceof CelObject) return typeof key === 'string' ? (operand.find(key) ?? undefined) : undefined;
  return operand instanceof CelMap ? operand.find(key) : undefined;
}

function listItem(list: readonly CelValue[], key: CelValue): CelValue {
  const index = indexOf(key);
  if (index === undefined) throw new CelError(`unsupported index type '${typeNameOf(key)}' in list`);
  const found = list[index];
  if (found === undefined) throw new CelError(`index out of bounds: ${index}`);
  return found;
}

function indexOf(key: CelValue): number | undefined {
  if (typeof key === 'bigint') return Number(key);
  if (typeof key === 'number') return Number.isInteger(key) ? key : undefined;
  return key instanceof CelUint ? Number(key.value) : undefined;
}

/** Values without members. */
const notIndexed = (key: string): CelError => new CelError(`no such key: ${key}`);

function shown(key: CelValue): string {
  if (key instanceof CelUint) return String(key.value);
  return typeof key === 'object' ? typeNameOf(key) : String(key);
}

/** A step below an optional value: none for an absent member. */
export function throughOptional(
  { value }: CelOptional,
  step: (operand: CelValue) => CelValue,
  isTest: boolean,
): CelValue {
  if (value === undefined) return isTest ? false : new CelOptional(undefined);
  try {
    return isTest ? step(value) : new CelOptional(step(value));
  } catch (error) {
    if (error instanceof CelError && error.message.startsWith('no such key'))
      return isTest ? false : new CelOptional(undefined);
    throw error;
  }
}

/** The value of an optional item of a list or map; undefined when it is none. */
export function inOptional(value: CelValue): CelValue | undefined {
  if (value instanceof CelOptional) return value.value;
  throw new CelError(`cannot initialize optional list element from non-optional value ${String(value)}`);
}
