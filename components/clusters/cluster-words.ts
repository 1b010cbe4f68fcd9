const PREFIX = 'cluster:';

/** Takes `cluster:NAME` out of the words of a filter. The names are in lower case. */
export function splitClusterWords(query: string): { readonly clusters: readonly string[]; readonly rest: string } {
  const words = query.split(/\s+/).filter(Boolean);
  const isCluster = (word: string) => word.toLowerCase().startsWith(PREFIX);
  return {
    clusters: words.filter(isCluster).map((word) => word.slice(PREFIX.length).toLowerCase()),
    rest: words.filter((word) => !isCluster(word)).join(' '),
  };
}
