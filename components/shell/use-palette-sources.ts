'use client';

import { useQuery } from '@tanstack/react-query';
import { useInstanceRows } from '@/components/instances/use-instance-rows';
import { request } from '@/components/live/request';
import { useTopic } from '@/components/live/use-topic';
import { CATALOGUE_KEY, type Catalogue } from '@/components/operators/use-catalogue';
import { usePlaces } from '@/components/places/use-places';
import { usePathname } from '@/components/ui/navigation';
import type { KindSummary } from '@/lib/kube/kinds';
import { nameOf } from '@/lib/kube/object';
import type { ObjectNames } from '@/lib/kube/object-names';
import { topics } from '@/lib/live/topic';
import { pageActions } from './page-actions';
import type { PaletteSources } from './palette-entries';
import { useNamespaceScope } from './preferences';

const FRESH_MS = 30_000;

/** What the palette searches, and of which kinds only a part. */
interface SearchedSources extends PaletteSources {
  readonly more: readonly string[];
  /** True until the names of objects are known. */
  readonly isSearching: boolean;
}

const NOTHING: readonly string[] = [];

/**
 * What the palette searches. Packages and kinds are requested when it opens, the names of objects when something is typed; the rest is known already.
 */
export function usePaletteSources(isTyped: boolean): SearchedSources {
  const { rows } = useInstanceRows();
  const path = usePathname();
  const { objects } = useTopic(topics.namespaces);
  const catalogue = useQuery({
    queryKey: CATALOGUE_KEY,
    queryFn: ({ signal }) => request<Catalogue>('/api/packages', { signal }),
    staleTime: FRESH_MS,
  });
  const kinds = useQuery({
    queryKey: ['palette-kinds'],
    queryFn: ({ signal }) => request<{ kinds: readonly KindSummary[] }>('/api/resources', { signal }),
    staleTime: FRESH_MS,
  });
  const scope = useNamespaceScope();
  const names = useQuery({
    enabled: isTyped,
    queryKey: ['palette-names', scope],
    queryFn: ({ signal }) =>
      request<ObjectNames>(
        `/api/resources/names?${new URLSearchParams(scope === undefined ? {} : { namespace: scope })}`,
        {
          signal,
        },
      ),
    staleTime: FRESH_MS,
    retry: false,
  });
  const places = usePlaces();
  return {
    instances: rows,
    places,
    objects: names.data?.objects ?? [],
    more: names.data?.more ?? NOTHING,
    isSearching: isTyped && names.isPending,
    actions: pageActions(path),
    packages: catalogue.data?.packages ?? [],
    kinds: kinds.data?.kinds ?? [],
    namespaces: objects.map(nameOf).sort(),
  };
}
