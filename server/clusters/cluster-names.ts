import { CLUSTER_NAME } from '@/lib/clusters/cluster-path';

const LONGEST = 63;

/**
 * The names of clusters in addresses: the text in lower case, with a dash for everything that a DNS label cannot hold, and a number behind
 * it when another cluster has that name already.
 *
 * @returns a name for each title, in the same order, each of them once
 */
export function clusterNames(titles: readonly string[], taken: ReadonlySet<string> = new Set()): string[] {
  const used = new Set(taken);
  return titles.map((title) => {
    const base = labelOf(title);
    let name = base;
    for (let number = 2; used.has(name); number++)
      name = `${base.slice(0, LONGEST - 1 - String(number).length)}-${number}`;
    used.add(name);
    return name;
  });
}

function labelOf(title: string): string {
  const label = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST)
    .replaceAll(/^-+|-+$/g, '');
  return CLUSTER_NAME.test(label) ? label : 'cluster';
}
