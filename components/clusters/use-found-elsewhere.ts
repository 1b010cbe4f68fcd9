'use client';

import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { browserClock } from '@/components/live/clock';
import { request } from '@/components/live/request';
import type { ClusterMatch } from '@/lib/clusters/cluster-info';
import { useClusterHealth, useIsCurrent } from './use-clusters';

/** So long nobody has typed, before the other clusters are asked. */
const PAUSE_MS = 200;
const SHORTEST = 2;
const LONGEST = 100;
const NOTHING: readonly ClusterMatch[] = [];

/** What clusters other than the page's own have for a query. It comes later than what the page knows, which does not wait for it. */
export function useFoundElsewhere(query: string): readonly ClusterMatch[] {
  const { data } = useClusterHealth();
  const isCurrent = useIsCurrent();
  const clusters = data?.clusters ?? [];
  const current = clusters.find(isCurrent)?.name;
  const text = usePaused(query.trim());
  const found = useQuery({
    queryKey: ['found-in-clusters', text],
    queryFn: ({ signal }) =>
      request<{ results: readonly ClusterMatch[] }>(`/api/clusters/find?q=${encodeURIComponent(text)}`, { signal }),
    enabled: clusters.length > 1 && text.length >= SHORTEST && text.length <= LONGEST,
    retry: false,
  });
  if (text !== query.trim()) return NOTHING;
  return found.data?.results.filter(({ cluster }) => cluster !== current) ?? NOTHING;
}

/** The text since it has not changed for a moment. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = browserClock.after(PAUSE_MS, () => setPaused(text));
    return () => timer.cancel();
  }, [text]);
  return paused;
}
