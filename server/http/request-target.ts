import type { IncomingMessage } from 'node:http';
import { CLUSTER_HEADER, splitClusterPath } from '@/lib/clusters/cluster-path';
import { internalRequestHeaders } from './headers';

/**
 * True for a request target that every parser reads alike: a path of this server (no other form, RFC 9112 3.2), whose
 * percent signs are whole and give UTF-8. Next answers 500 for what this refuses.
 */
export function isPlainTarget(target: string | undefined): boolean {
  if (target === undefined || !target.startsWith('/') || target.startsWith('//')) return false;
  const path = target.split('?', 1)[0] ?? '';
  try {
    decodeURIComponent(path);
    return !path.includes('\\');
  } catch {
    return false;
  }
}

/** True for the base path itself (`/bravo`) and what is below it; `/bravonet` is another path. */
export function isBelow(target: string | undefined, basePath: string): boolean {
  const path = target?.split('?', 1)[0] ?? '';
  return path === basePath || path.startsWith(`${basePath}/`);
}

/** Takes away the headers by which Next steers itself; from outside they must never count. */
export function dropInternalHeaders(headers: { [name: string]: string | string[] | undefined }): void {
  for (const name of internalRequestHeaders) delete headers[name];
}

/**
 * Takes the cluster off the path of a route (`/c/staging/api/live`) and puts it into the header that routes read. Pages keep it in their
 * path, which the browser's router has too (proxy.ts).
 */
export function takeCluster(request: Pick<IncomingMessage, 'url' | 'headers'>, basePath: string): void {
  const { cluster, path } = splitClusterPath((request.url ?? '').slice(basePath.length));
  if (cluster === undefined || !/^\/api(?=[/?]|$)/.test(path)) return;
  request.url = `${basePath}${path}`;
  request.headers[CLUSTER_HEADER] = cluster;
}
