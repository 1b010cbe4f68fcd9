import type { Environment } from '@marcbachmann/cel-js';

class CelSets {}

/** The library `sets` of CEL: lists compared without order and repetition (cel-go ext.Sets). */
export function registerSets(env: Environment): void {
  env.registerType('kubernetes.Sets', CelSets);
  env.registerConstant('sets', 'kubernetes.Sets', new CelSets());
  const define = (name: string, decide: (a: ReadonlySet<string>, b: ReadonlySet<string>) => boolean) =>
    env.registerFunction(
      `kubernetes.Sets.${name}(list<dyn>, list<dyn>): bool`,
      (_sets: CelSets, a: readonly unknown[], b: readonly unknown[]) => decide(keysOf(a), keysOf(b)),
    );
  const contains = (a: ReadonlySet<string>, b: ReadonlySet<string>) => [...b].every((each) => a.has(each));
  define('contains', contains);
  define('equivalent', (a, b) => contains(a, b) && contains(b, a));
  define('intersects', (a, b) => [...b].some((each) => a.has(each)));
}

/** Each value as a text that is the same for equal values: one pass, however long both lists are. */
function keysOf(list: readonly unknown[]): Set<string> {
  return new Set(list.map((each) => JSON.stringify(each, inOrder)));
}

function inOrder(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `int:${value}`;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
