'use client';

import { useQuery } from '@tanstack/react-query';
import { request } from '@/components/live/request';
import { useConnection } from '@/components/live/use-connection';
import { type AccessAnswer, type AccessQuestion, formatQuestion, missingRight } from '@/lib/kube/access';

export interface Access {
  /** The sentence for a button that is off; undefined while the right is there, or not known to be missing. */
  readonly missing: string | undefined;
  /** The same, or why nothing can be changed now: what is seen is old. */
  readonly block: string | undefined;
  /** Who the person is to the cluster; undefined until it is known. */
  readonly user: string | undefined;
}

/** The server believes an answer for 30 s; asking more often brings nothing. */
const FRESH_MS = 30_000;

const NOT_LIVE = 'Not live: nothing can be started until the page shows the current state again.';

/** Whether the person has a right, asked once for all buttons that need it. Until the answer is there nothing is off. */
export function useAccess(question: AccessQuestion): Access {
  const { status, staleSinceMs } = useConnection();
  const behind = status === 'lost' || staleSinceMs !== undefined ? NOT_LIVE : undefined;
  const ask = formatQuestion(question);
  const { data } = useQuery({
    queryKey: ['access', ask],
    queryFn: ({ signal }) =>
      request<AccessAnswer & { user: string }>(`/api/access?${new URLSearchParams({ ask })}`, { signal }),
    staleTime: FRESH_MS,
    refetchOnWindowFocus: true,
    retry: false,
  });
  const missing = data?.allowed === false ? missingRight(question) : undefined;
  return { missing, block: missing ?? behind, user: data?.user };
}
