/** Keeps what `make` gave under a key until the generation of what it is made from grows. */
export type CachedText = (key: string, make: () => string | undefined) => string | undefined;

export function cachedByGeneration(source: { readonly generation: number }): CachedText {
  const cache = new Map<string, string | undefined>();
  let generation = -1;
  return (key, make) => {
    if (generation !== source.generation) {
      cache.clear();
      generation = source.generation;
    }
    if (!cache.has(key)) cache.set(key, make());
    return cache.get(key);
  };
}
