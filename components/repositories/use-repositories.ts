'use client';

import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { type RequestError, request } from '@/components/live/request';
import { useHydrated } from '@/components/ui/use-hydrated';
import type { RepositoryContent, RepositoryInfo, RepositoryListing } from '@/lib/kudo/repository/repository-info';

export const REPOSITORIES_KEY = ['repositories'] as const;
const contentKey = (name: string) => [...REPOSITORIES_KEY, name, 'index'] as const;
const KEPT_MS = 300_000;

/** What the page knows of one repository. */
export interface RepositoryRow {
  readonly info: RepositoryInfo;
  /** Undefined until the repository was asked. */
  readonly content: RepositoryContent | undefined;
  /** Why the console did not answer for it. */
  readonly error: RequestError | null;
  readonly isAsked: boolean;
}

/** The repositories, each with what it has: the list comes first, and every repository fills its own row. */
export function useRepositories(): {
  readonly data: RepositoryListing | undefined;
  readonly error: RequestError | null;
  readonly rows: readonly RepositoryRow[];
} {
  const isHydrated = useHydrated();
  const { data, error } = useQuery<RepositoryListing, RequestError>({
    queryKey: REPOSITORIES_KEY,
    queryFn: ({ signal }) => request<RepositoryListing>('/api/repositories', { signal }),
    retry: false,
  });
  const contents = useQueries({
    queries: (data?.repositories ?? []).map(({ name }) => ({
      queryKey: contentKey(name),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        request<RepositoryContent>(`/api/repositories/${name}/index`, { signal }),
      staleTime: KEPT_MS,
      retry: false,
    })),
  });
  if (!isHydrated) return { data: undefined, error: null, rows: [] };
  const rows = (data?.repositories ?? []).map((info, at) => ({
    info,
    content: contents[at]?.data,
    error: contents[at]?.error as RequestError | null,
    isAsked: contents[at]?.isFetching === true,
  }));
  return { data, error, rows };
}

/** Asks a repository again, past what the console remembers. */
export function useRefreshRepository(): (name: string) => Promise<void> {
  const client = useQueryClient();
  return async (name) => {
    await client
      .fetchQuery<RepositoryContent, RequestError>({
        queryKey: contentKey(name),
        queryFn: ({ signal }) => request<RepositoryContent>(`/api/repositories/${name}/index?refresh=true`, { signal }),
        staleTime: 0,
        retry: false,
      })
      // The row shows the error.
      .catch(() => undefined);
  };
}
