'use client';

import { useQuery } from '@tanstack/react-query';
import { request } from '@/components/live/request';

/** A page of the guide as Markdown. It comes from the console itself: no network is needed. */
export function useGuide(page: string) {
  return useQuery({
    queryKey: ['guide', page],
    queryFn: ({ signal }) => request<{ text: string }>(`/api/guide/${encodeURIComponent(page)}`, { signal }),
    // It changes with the version of the console.
    staleTime: Number.POSITIVE_INFINITY,
  });
}
