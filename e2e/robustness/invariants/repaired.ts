import { isJsonObject, type JsonValue, parseJsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { LAST_APPLIED_ANNOTATION } from '@/lib/kudo/names';
import type { Invariant, Kept } from './fact';

/**
 * I13: with self-heal on, some time after the last fault every object that the last plans applied exists, and has the applied value
 * in every field that they set. Only what a pod wrote, and a user deleted before the plan ended, may be missing: nobody knows its content.
 */
export const repaired: Invariant = (report) => (fact) => {
  if (fact.fact !== 'kept') return;
  const problem = missing(fact);
  if (problem !== undefined) report(`I13: Instance ${fact.instance} has self-heal on, but ${fact.name} ${problem}`);
};

/** What differs from the applied object; undefined when nothing does. */
export function missing({ live, isLost }: Pick<Kept, 'live' | 'isLost'>): string | undefined {
  if (live === undefined) return isLost ? undefined : 'does not exist';
  const record = parseJsonObject(live.metadata.annotations?.[LAST_APPLIED_ANNOTATION] ?? '');
  if (record === undefined) return 'has no record of what was applied';
  const parts = ['data', 'spec'].filter((part) => record[part] !== undefined);
  const path = parts.map((part) => difference(record[part] ?? null, member(live, part), part)).find(Boolean);
  return path === undefined ? undefined : `has another value of ${path} than the one that was applied`;
}

function member(live: KubeObject, name: string): JsonValue | undefined {
  return live[name] as JsonValue | undefined;
}

/** The path of the first field of `wanted` that has another value in `live`; fields that others added do not count. */
function difference(wanted: JsonValue, live: JsonValue | undefined, path: string): string | undefined {
  if (Array.isArray(wanted)) {
    const list = Array.isArray(live) ? live : [];
    return wanted.map((each, index) => difference(each, list[index], `${path}[${index}]`)).find(Boolean);
  }
  if (!isJsonObject(wanted)) return wanted === live ? undefined : path;
  const object = isJsonObject(live) ? live : {};
  return Object.entries(wanted)
    .map(([name, each]) => difference(each, object[name], `${path}.${name}`))
    .find(Boolean);
}
