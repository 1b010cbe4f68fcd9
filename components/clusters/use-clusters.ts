'use client';

import { useQuery } from '@tanstack/react-query';
import { type RequestError, request } from '@/components/live/request';
import { useClusterName } from '@/components/ui/cluster-provider';
import { useHydrated } from '@/components/ui/use-hydrated';
import type { ClusterInfo, ClusterList } from '@/lib/clusters/cluster-info';

export const CLUSTERS_KEY = ['clusters'] as const;
/** What the page knows of the clusters. */
interface KnownClusters {
  readonly data: ClusterList | undefined;
  readonly error: RequestError | null;
}

/** As the server renders pages. */
const NOT_KNOWN: KnownClusters = { data: undefined, error: null };
const EVERY_MS = 10_000;
const HEALTH_EVERY_MS = 30_000;

/** The clusters of the console with their health, the home cluster first; asked again every ten seconds while the page is seen. */
export function useClusters(): KnownClusters {
  const { data, error } = useQuery<ClusterList, RequestError>({
    queryKey: CLUSTERS_KEY,
    queryFn: ({ signal }) => request<ClusterList>('/api/clusters', { signal }),
    refetchInterval: EVERY_MS,
    retry: false,
  });
  return useHydrated() ? { data, error } : NOT_KNOWN;
}

/** The same for the frame of every page: asked less often, and once only while there is one cluster. */
export function useClusterHealth(): KnownClusters {
  const { data, error } = useQuery<ClusterList, RequestError>({
    queryKey: CLUSTERS_KEY,
    queryFn: ({ signal }) => request<ClusterList>('/api/clusters', { signal }),
    refetchInterval: ({ state }) => ((state.data?.clusters.length ?? 1) > 1 ? HEALTH_EVERY_MS : false),
    staleTime: HEALTH_EVERY_MS,
    retry: false,
  });
  return useHydrated() ? { data, error } : NOT_KNOWN;
}

/** True for the cluster of this page. */
export function useIsCurrent(): (cluster: ClusterInfo) => boolean {
  const current = useClusterName();
  return ({ name, source }) => (current === undefined ? source === 'home' : name === current);
}

/** How addresses begin for a cluster; undefined for the home cluster, whose addresses need no name. */
export function addressName({ name, source }: Pick<ClusterInfo, 'name' | 'source'>): string | undefined {
  return source === 'home' ? undefined : name;
}
