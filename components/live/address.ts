import { basePath, withBasePath } from '@/components/ui/base-path';
import { clusterPath, splitClusterPath } from '@/lib/clusters/cluster-path';

/** Read once: another cluster is always another page load, so nothing of one cluster can reach a page of another. */
const pageCluster =
  typeof window === 'undefined' ? undefined : splitClusterPath(window.location.pathname.slice(basePath.length)).cluster;

/** A path of the console's server for the cluster of this page, as a request or a stream has to name it. Only in the browser. */
export function serverPath(path: string): string {
  return withBasePath(clusterPath(pageCluster, path));
}

/** Loads the page anew for a cluster; undefined is the home cluster. `path` is without a cluster. */
export function openInCluster(cluster: string | undefined, path: string): void {
  window.location.assign(withBasePath(clusterPath(cluster, path)));
}

/** Replaces the entry of the history; the server is asked nothing. `path` is as our `usePathname` gives it, with any query. */
export function replaceAddress(path: string): void {
  window.history.replaceState(null, '', serverPath(path));
}

/** The name under which the browser stores something of the page's cluster: another cluster has Instances of the same names. */
export function storageKey(name: string): string {
  return pageCluster === undefined ? name : `${name}@${pageCluster}`;
}
