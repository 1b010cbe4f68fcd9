'use client';

import { useQuery } from '@tanstack/react-query';
import { request } from '@/components/live/request';
import { useTopic } from '@/components/live/use-topic';
import type { UnavailableVersion } from '@/lib/kube/api-services';
import type { KindSummary } from '@/lib/kube/kinds';
import { topics } from '@/lib/live/topic';

/** Every kind that can be listed, and the groups whose kinds are not known now. */
export interface ListedKinds {
  readonly kinds: readonly KindSummary[];
  readonly unavailable: readonly UnavailableVersion[];
}

/** A group that did not answer is asked again after this time. */
const RECHECK_MS = 30_000;

/** Every kind that can be listed. Asked again whenever a CustomResourceDefinition changes. */
export function useKinds(initial?: readonly KindSummary[]): readonly KindSummary[] | undefined {
  return useKnownKinds(initial === undefined ? undefined : { kinds: initial, unavailable: [] })?.kinds;
}

/** The same with what is not known, which is asked again from time to time. */
export function useKnownKinds(initial: ListedKinds | undefined): ListedKinds | undefined {
  const crds = useTopic(topics.crds);
  const versions = crds.objects.map(({ metadata }) => `${metadata.name} ${metadata.generation}`).join();
  const { data } = useQuery({
    queryKey: ['kinds', versions],
    queryFn: ({ signal }) => request<ListedKinds>('/api/resources', { signal }),
    placeholderData: (previous) => previous ?? initial,
    refetchInterval: ({ state }) => ((state.data?.unavailable.length ?? 0) > 0 ? RECHECK_MS : false),
  });
  return data ?? initial;
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
