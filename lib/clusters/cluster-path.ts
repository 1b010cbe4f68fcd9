/** Names the cluster that a request is for, from our own server to our routes and pages. Dropped from requests from outside. */
export const CLUSTER_HEADER = 'x-bravo-cluster';

/** The name of a cluster in addresses: a DNS label. */
export const CLUSTER_NAME = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

const PREFIXED = /^\/c\/([^/?#]+)(?=[/?#]|$)/;
/** Routes of the process, which are the same for all clusters. */
const OF_THE_PROCESS = /^\/api\/(auth|clusters|health|ready|status)(?=[/?#]|$)/;
/** The parts of the console that have a list of their own. */
const SECTIONS: ReadonlySet<string> = new Set([
  'instances',
  'runs',
  'schedules',
  'operators',
  'install',
  'resources',
  'roles',
  'status',
  'clusters',
  'activity',
  'help',
]);

/** An address of the console without the base path. */
export interface ClusterAddress {
  /** Undefined for the home cluster, whose addresses have no prefix. */
  readonly cluster: string | undefined;
  /** The path without the prefix of the cluster; it begins with `/`. */
  readonly path: string;
}

/** Takes `/c/NAME` off a path. What is no name of a cluster stays in the path, which then leads nowhere. */
export function splitClusterPath(address: string): ClusterAddress {
  const found = PREFIXED.exec(address);
  if (found?.[1] === undefined || !CLUSTER_NAME.test(found[1])) return { cluster: undefined, path: address };
  const rest = address.slice(found[0].length);
  return { cluster: found[1], path: rest.startsWith('/') ? rest : `/${rest}` };
}

/**
 * Puts `/c/NAME` in front of a path. A path that names its cluster already, one of the process, and an address that is no path of
 * the console (`https:`, `#part`) stay as they are.
 *
 * @param cluster undefined for the home cluster
 */
export function clusterPath(cluster: string | undefined, path: string): string {
  if (cluster === undefined || !path.startsWith('/') || OF_THE_PROCESS.test(path)) return path;
  if (splitClusterPath(path).cluster !== undefined) return path;
  const isRoot = /^\/(?=[?#]|$)/.test(path);
  return `/c/${cluster}${isRoot ? path.slice(1) : path}`;
}

/**
 * The page to begin with after a change of the cluster: the list of the same part of the console, because an object of one cluster
 * has no page in another one.
 *
 * @param path without the prefix of a cluster
 */
export function sectionOf(path: string): string {
  const section = path.split(/[/?#]/, 2)[1] ?? '';
  return SECTIONS.has(section) ? `/${section}` : '/';
}
