'use client';

import { useQuery } from '@tanstack/react-query';
import { request } from '@/components/live/request';
import { useTopic } from '@/components/live/use-topic';
import type { KindSummary } from '@/lib/kube/kinds';
import { topics } from '@/lib/live/topic';

/** Every kind that can be listed. Asked again whenever a CustomResourceDefinition changes. */
export function useKinds(initial?: readonly KindSummary[]): readonly KindSummary[] | undefined {
  const crds = useTopic(topics.crds);
  const versions = crds.objects.map(({ metadata }) => `${metadata.name} ${metadata.generation}`).join();
  const { data } = useQuery({
    queryKey: ['kinds', versions],
    queryFn: ({ signal }) => request<{ kinds: readonly KindSummary[] }>('/api/resources', { signal }),
    placeholderData: (previous) => previous ?? (initial === undefined ? undefined : { kinds: initial }),
  });
  return data?.kinds ?? initial;
}

/** How many objects of each kind there are, by resource name; undefined until it is known. */
export function useKindCounts(namespace: string | undefined): Readonly<Record<string, number>> | undefined {
  const query = namespace === undefined ? '' : `?namespace=${encodeURIComponent(namespace)}`;
  const { data } = useQuery({
    queryKey: ['kind-counts', namespace ?? ''],
    queryFn: ({ signal }) => request<{ counts: Record<string, number> }>(`/api/resources/counts${query}`, { signal }),
    refetchOnMount: 'always',
  });
  return data?.counts;
}
