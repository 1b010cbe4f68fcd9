import { GoError } from '../template-error';
import { GoMap, type Value } from '../value/value';
import type { CallContext } from './define';
import { isEmpty } from './empty';

export interface MergeOptions {
  readonly overwrite: boolean;
  readonly context: CallContext;
  readonly level: number;
}

/**
 * Merges `source` into `target` in place, as dario.cat/mergo does for `map[string]interface{}`: what is missing or empty
 * is taken over; with `overwrite` everything is; maps in both are merged.
 * @returns false where mergo gives an error
 */
export function mergeMaps(target: GoMap, source: GoMap, options: MergeOptions): boolean {
  options.context.budget.nest(options.level);
  if (target === source) return true;
  if (target.isNil) {
    if (source.size > 0) throw new GoError('assignment to entry in nil map');
    return true;
  }
  return source.keys().every((key) => mergeMember(target, key, source.get(key), options));
}

function mergeMember(target: GoMap, key: string, value: Value, options: MergeOptions): boolean {
  const { overwrite, context, level } = options;
  const existing = target.get(key);
  if (value === null || value === undefined) {
    if (overwrite || existing === undefined) target.set(key, null);
    return true;
  }
  if (value instanceof GoMap && existing instanceof GoMap) {
    if (existing.isNil) target.set(key, value);
    else return mergeMaps(existing, value, { overwrite, context, level: level + 1 });
    return true;
  }
  const isTaken = existing === undefined || overwrite || isEmptyMember(existing);
  if (isTaken) target.set(key, value);
  return true;
}

function isEmptyMember(value: Value): boolean {
  return isEmpty(value);
}
