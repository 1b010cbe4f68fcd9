'use client';

import { useQuery } from '@tanstack/react-query';
import { request } from '@/components/live/request';
import { kubePath } from '@/components/resources/resource-path';
import { stringAt } from '@/lib/json/json';

const REVIEWS = { group: 'authentication.k8s.io', version: 'v1', resource: 'selfsubjectreviews' } as const;
const FRESH_MS = 5 * 60_000;

/**
 * The name that the API server knows the person by (SelfSubjectReview): the one of a kubeconfig may be another. Undefined until it is known, and where
 * the API server does not say it.
 */
export function useWhoAmI(isAsked = true): string | undefined {
  const { data } = useQuery({
    enabled: isAsked,
    queryKey: ['who-am-i'],
    queryFn: async ({ signal }) => {
      const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
      const review = await request<object>(kubePath(REVIEWS), { method: 'POST', body, signal });
      return stringAt(review, 'status', 'userInfo', 'username') ?? null;
    },
    staleTime: FRESH_MS,
    retry: false,
  });
  return data ?? undefined;
}
