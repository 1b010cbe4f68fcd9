import type { ResourceTable } from '../registry/resource-table';

/** Keeps what `make` gave under a key until a kind is added, changed or removed. */
export type CachedText = (key: string, make: () => string | undefined) => string | undefined;

export function cachedByGeneration(table: ResourceTable): CachedText {
  const cache = new Map<string, string | undefined>();
  let generation = -1;
  return (key, make) => {
    if (generation !== table.generation) {
      cache.clear();
      generation = table.generation;
    }
    if (!cache.has(key)) cache.set(key, make());
    return cache.get(key);
  };
}
