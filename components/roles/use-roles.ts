'use client';

import { useQuery } from '@tanstack/react-query';
import { type RequestError, request } from '@/components/live/request';
import type { OperatorAction } from '@/lib/kudo/view/action-rights';
import type { RoleRow } from '@/lib/kudo/view/role-rows';

/** Roles change rarely, and are read whole: they are asked for again once a minute while the page is open. */
const AGAIN_MS = 60_000;

/** What `GET /api/roles` answers. */
export interface RolesOfScope {
  readonly rows: readonly RoleRow[];
  readonly refusals: readonly string[];
}

/** Who may do what with operators in a namespace, or everywhere. */
export function useRoles(namespace: string | undefined) {
  return useQuery<RolesOfScope, RequestError>({
    queryKey: ['roles', namespace ?? ''],
    queryFn: ({ signal }) =>
      request<RolesOfScope>(`/api/roles?${new URLSearchParams({ namespace: namespace ?? '' })}`, { signal }),
    refetchInterval: AGAIN_MS,
    retry: false,
  });
}

/** Another user and their groups, in a namespace. */
export interface SubjectQuestion {
  readonly user: string;
  readonly groups: readonly string[];
  readonly namespace: string;
}

/** What another user may do; asked when there is a question. */
export function useSubjectCheck(question: SubjectQuestion | undefined) {
  return useQuery<{ readonly actions: { readonly [action in OperatorAction]?: boolean } }, RequestError>({
    queryKey: ['roles', 'check', question],
    enabled: question !== undefined,
    queryFn: ({ signal }) => {
      const { user = '', groups = [], namespace = '' } = question ?? {};
      const query = new URLSearchParams({ namespace, user });
      for (const group of groups) query.append('group', group);
      return request(`/api/roles/check?${query}`, { signal });
    },
    retry: false,
  });
}
