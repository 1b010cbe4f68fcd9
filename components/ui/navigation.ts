'use client';

import { usePathname as useNextPathname, useRouter as useNextRouter } from 'next/navigation';
import { useMemo } from 'react';
import { clusterPath, splitClusterPath } from '@/lib/clusters/cluster-path';
import { useClusterName } from './cluster-provider';

export { useSearchParams } from 'next/navigation';

/** Goes to pages of the console. Paths are without the cluster of the page, which they stay in. */
export interface Router {
  push(path: string): void;
  replace(path: string): void;
  /** Asks the server for the page again. */
  refresh(): void;
}

/** The router of the page's cluster. Keeps its identity. */
export function useRouter(): Router {
  const router = useNextRouter();
  const cluster = useClusterName();
  return useMemo(
    () => ({
      push: (path: string) => router.push(clusterPath(cluster, path)),
      replace: (path: string) => router.replace(clusterPath(cluster, path)),
      refresh: () => router.refresh(),
    }),
    [router, cluster],
  );
}

/**
 * The path of the page without base path and cluster. The server renders a page of another cluster at the path that the proxy has
 * rewritten it to, and the browser at the one of the address bar: without the cluster both are the same.
 */
export function usePathname(): string {
  return splitClusterPath(useNextPathname()).path;
}
