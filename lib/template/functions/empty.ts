import { isTruth } from '../value/describe';
import { GoObject, type Value } from '../value/value';

/** Sprig's empty: the zero value, nil, or a collection without members. A struct never is. */
export function isEmpty(value: Value): boolean {
  return value instanceof GoObject ? false : !isTruth(value);
}
