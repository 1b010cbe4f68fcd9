import type { IncomingMessage, ServerResponse } from 'node:http';
import { CLUSTER_HEADER, splitClusterPath } from '@/lib/clusters/cluster-path';
import { routeHeaders } from './headers';

/**
 * Takes `/c/NAME` off the address of a route and names the cluster in a header, which nobody outside can send. Pages keep their
 * address: proxy.ts rewrites them, so that Next tells the browser of it.
 */
export function takeClusterOff(request: IncomingMessage, basePath: string): void {
  const { cluster, path } = splitClusterPath((request.url ?? '/').slice(basePath.length));
  if (cluster === undefined || !path.startsWith('/api/')) return;
  request.headers[CLUSTER_HEADER] = cluster;
  request.url = `${basePath}${path}`;
}

/**
 * Answers a route of an unknown cluster with 404. Asked after the gate: only who has signed in learns the names of the clusters.
 *
 * @param known the names of the clusters of this console
 * @returns true when the request has been answered
 */
export function refuseUnknownCluster(
  request: IncomingMessage,
  response: ServerResponse,
  known: readonly string[],
): boolean {
  const cluster = request.headers[CLUSTER_HEADER];
  if (cluster === undefined || known.includes(String(cluster))) return false;
  const message = `This console has no cluster ${cluster}. Its clusters are: ${known.join(', ')}.`;
  response.writeHead(404, { ...routeHeaders, 'content-type': 'application/problem+json' });
  response.end(JSON.stringify({ status: 404, reason: 'NotFound', message, causes: [] }));
  return true;
}
