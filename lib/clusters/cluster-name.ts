const MOST = 63;

/**
 * The name of a cluster in addresses, made of the name of its context: a DNS label. What a label cannot have becomes a dash.
 *
 * @param taken names that other clusters have already
 */
export function clusterNameOf(context: string, taken: ReadonlySet<string> = new Set()): string {
  const label = context
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '');
  const name = trimmed(label, MOST) || 'cluster';
  if (!taken.has(name)) return name;
  for (let number = 2; ; number++) {
    const other = `${trimmed(name, MOST - 5)}-${number}`;
    if (!taken.has(other)) return other;
  }
}

function trimmed(label: string, most: number): string {
  return label.slice(0, most).replace(/-+$/, '');
}
