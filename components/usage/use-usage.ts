'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useInstanceRows } from '@/components/instances/use-instance-rows';
import { type RequestError, request } from '@/components/live/request';
import { useNamespaceScope } from '@/components/shell/preferences';
import type { UsageRow } from '@/lib/kudo/usage/rows';

/** Figures grow slowly. */
const EVERY_MS = 60_000;

export interface Usage {
  readonly rows: readonly UsageRow[];
  readonly notes: readonly string[];
  /** All months with figures, the last one first. */
  readonly months: readonly string[];
}

/** The question to the server: one month, or all of them for the empty text. */
export function useUsageQuery(month: string): string {
  const scope = useNamespaceScope();
  const { rows } = useInstanceRows();
  const params = new URLSearchParams();
  if (month !== '') params.set('month', month);
  if (scope !== undefined) params.set('in', scope);
  // For who may not read all namespaces: those with Instances that they see.
  else
    for (const name of [...new Set(rows.map(({ namespace }) => namespace))].sort().slice(0, 200))
      params.append('namespace', name);
  return params.toString();
}

export function useUsage(query: string) {
  return useQuery<Usage, RequestError>({
    queryKey: ['usage', query],
    queryFn: ({ signal }) => request<Usage>(`/api/usage?${query}`, { signal }),
    refetchInterval: EVERY_MS,
    placeholderData: keepPreviousData,
    retry: false,
  });
}
