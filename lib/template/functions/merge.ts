import { goKindOf } from '../value/describe';
import { GoMap, type Value } from '../value/value';
import type { CallContext } from './define';
import { isEmpty } from './empty';

export interface MapMergeOptions {
  readonly overwrite: boolean;
  readonly context: CallContext;
  readonly level: number;
}

/**
 * Merges `source` into `target` in place, as dario.cat/mergo does for `map[string]interface{}`: missing and empty members
 * are copied; with `overwrite` all are; maps in both are merged. A nil target becomes a new map.
 * @returns the merged map, or undefined where mergo returns an error
 */
export function mergeMaps(target: GoMap, source: GoMap, options: MapMergeOptions): GoMap | undefined {
  options.context.budget.nest(options.level);
  if (target === source) return target;
  const result = target.isNil && !source.isNil ? GoMap.of(target.type) : target;
  const isDone = source.keys().every((key) => mergeMember(result, key, source.get(key), options));
  return isDone ? result : undefined;
}

function mergeMember(target: GoMap, key: string, value: Value, options: MapMergeOptions): boolean {
  const { overwrite, context, level } = options;
  const existing = target.get(key);
  // The older release does not overwrite with what is empty, and refuses members of different kinds.
  const isOld = context.compatibility === 'kudo019';
  if (value === null || value === undefined) {
    if (overwrite && !isOld) target.set(key, null);
    return true;
  }
  if (isOld && existing !== undefined && existing !== null && goKindOf(existing) !== goKindOf(value)) return false;
  if (value instanceof GoMap && existing instanceof GoMap) {
    const merged = mergeMaps(existing, value, { overwrite, context, level: level + 1 });
    if (merged !== undefined) target.set(key, merged);
    return merged !== undefined;
  }
  const overwrites = overwrite && !(isOld && isEmpty(value));
  if (existing === undefined || overwrites || isEmpty(existing)) target.set(key, value);
  return true;
}
