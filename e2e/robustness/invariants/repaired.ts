import { isJsonObject, type JsonValue, parseJsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { LAST_APPLIED_ANNOTATION } from '@/lib/kudo/names';
import type { Invariant, Kept } from './fact';

/**
 * I13: with self-heal on, some time after the last fault everything that the last plans left is there, and is what they
 * applied in every field that they set.
 */
export const repaired: Invariant = (report) => (fact) => {
  if (fact.fact !== 'kept') return;
  const problem = missing(fact);
  if (problem !== undefined) report(`I13: ${fact.instance} heals itself, but ${fact.name} ${problem}`);
};

/** What is wrong with it; undefined when it is as it was applied. */
export function missing({ live }: Pick<Kept, 'live'>): string | undefined {
  if (live === undefined) return 'is gone';
  const record = parseJsonObject(live.metadata.annotations?.[LAST_APPLIED_ANNOTATION] ?? '');
  if (record === undefined) return 'has no record of what was applied';
  const parts = ['data', 'spec'].filter((part) => record[part] !== undefined);
  const path = parts.map((part) => difference(record[part] ?? null, member(live, part), part)).find(Boolean);
  return path === undefined ? undefined : `has another ${path} than was applied`;
}

function member(live: KubeObject, name: string): JsonValue | undefined {
  return live[name] as JsonValue | undefined;
}

/** The path of the first field of `wanted` that is otherwise in `live`; what others added does not count. */
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
