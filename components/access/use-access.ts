'use client';

import { useQuery } from '@tanstack/react-query';
import { request } from '@/components/live/request';
import { type AccessAnswer, type AccessQuestion, formatQuestion, missingRight } from '@/lib/kube/access';

export interface Access {
  /** The sentence for a button that is off; undefined while the right is there, or not known to be missing. */
  readonly missing: string | undefined;
  /** Who the person is to the cluster; undefined until it is known. */
  readonly user: string | undefined;
}

/** The server believes an answer for 30 s; asking more often brings nothing. */
const FRESH_MS = 30_000;

/** Whether the person has a right, asked once for all buttons that need it. Until the answer is there nothing is off. */
export function useAccess(question: AccessQuestion): Access {
  const ask = formatQuestion(question);
  const { data } = useQuery({
    queryKey: ['access', ask],
    queryFn: ({ signal }) =>
      request<AccessAnswer & { user: string }>(`/api/access?${new URLSearchParams({ ask })}`, { signal }),
    staleTime: FRESH_MS,
    refetchOnWindowFocus: true,
    retry: false,
  });
  return { missing: data?.allowed === false ? missingRight(question) : undefined, user: data?.user };
}
