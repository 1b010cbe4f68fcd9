'use client';

import { useQuery } from '@tanstack/react-query';
import { useInstanceRows } from '@/components/instances/use-instance-rows';
import { request } from '@/components/live/request';
import { useTopic } from '@/components/live/use-topic';
import { CATALOGUE_KEY, type Catalogue } from '@/components/operators/use-catalogue';
import { usePathname } from '@/components/ui/navigation';
import type { KindSummary } from '@/lib/kube/kinds';
import { nameOf } from '@/lib/kube/object';
import { topics } from '@/lib/live/topic';
import { pageActions } from './page-actions';
import type { PaletteSources } from './palette-entries';

const FRESH_MS = 30_000;

/** What the palette searches. Packages and kinds are requested when it opens; the rest is known already. */
export function usePaletteSources(): PaletteSources {
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
  return {
    instances: rows,
    actions: pageActions(path),
    packages: catalogue.data?.packages ?? [],
    kinds: kinds.data?.kinds ?? [],
    namespaces: objects.map(nameOf).sort(),
  };
}
