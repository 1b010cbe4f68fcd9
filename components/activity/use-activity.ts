'use client';

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { type RequestError, request } from '@/components/live/request';
import { type Activity, type ActivityFilter, formatActivityFilter } from '@/lib/audit/activity';

/** New entries appear within this time. */
const EVERY_MS = 5_000;

/** What the person may see of the activity, newest first; asked for again while the page is seen, and sent again only when it changed. */
export function useActivity(filter: ActivityFilter, limit: number) {
  const client = useQueryClient();
  const query = formatActivityFilter(filter).toString();
  const queryKey = ['activity', query, limit];
  return useQuery<Activity, RequestError>({
    queryKey,
    queryFn: async ({ signal }) => {
      const known = client.getQueryData<Activity>(queryKey);
      const params = new URLSearchParams(query);
      params.set('limit', String(limit));
      if (known !== undefined) params.set('seen', known.version);
      const answer = await request<Activity | { readonly unchanged: true }>(`/api/activity?${params}`, { signal });
      if (!('unchanged' in answer)) return answer;
      if (known === undefined) throw new Error('the server says that nothing changed since nothing');
      return known;
    },
    refetchInterval: EVERY_MS,
    placeholderData: keepPreviousData,
    retry: false,
  });
}
