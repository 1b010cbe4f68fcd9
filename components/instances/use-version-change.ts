'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { lockKey, lockWish, setLockBreak, useLockBreak } from '@/components/access/instance-lock';
import { noteMyRun } from '@/components/instance-view/my-runs';
import { request } from '@/components/live/request';
import { showToast } from '@/components/ui/toast';
import type {
  PackageDetail,
  PackageSummary,
  VersionChangePreview,
  VersionChangeRequest,
} from '@/lib/kudo/package/catalogue';
import type { OperatorVersion } from '@/lib/kudo/types';
import { instanceApiPath, instancePath } from '@/lib/kudo/view/instance-path';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import type { VersionChoice } from './version-choices';

/** The packages of the catalogue; undefined until they are read. */
export function usePackages(): readonly PackageSummary[] | undefined {
  const { data } = useQuery({
    queryKey: ['packages'],
    queryFn: ({ signal }) => request<{ packages: readonly PackageSummary[] }>('/api/packages', { signal }),
  });
  return data?.packages;
}

/** The OperatorVersion of a choice: the one of the namespace, or the one that its package becomes; undefined until it is read. */
export function useVersionOf(choice: VersionChoice | undefined, operator: string): OperatorVersion | undefined {
  const key = choice?.installed === undefined ? choice?.packageKey : undefined;
  const { data } = useQuery({
    enabled: key !== undefined,
    queryKey: ['package', operator, key],
    queryFn: ({ signal }) =>
      request<PackageDetail>(`/api/packages/${encodeURIComponent(operator)}/${encodeURIComponent(key ?? '')}`, {
        signal,
      }),
  });
  return choice?.installed ?? (key === undefined ? undefined : data?.version);
}

/** What the change would do, asked again while values are typed. */
export function useVersionPreview(row: InstanceRow, wish: VersionChangeRequest) {
  const asked = useDeferredValue(wish);
  const breakLock = useLockBreak(row.instance);
  return useQuery({
    queryKey: ['version-preview', row.key, row.instance.spec, asked, lockKey(row.instance), breakLock],
    queryFn: ({ signal }) =>
      request<VersionChangePreview>(`${instanceApiPath(row.namespace, row.name, 'version')}?dryRun=true`, {
        method: 'POST',
        body: { ...asked, ...lockWish(row.instance) },
        signal,
      }),
    placeholderData: (before) => before,
    retry: false,
    gcTime: 0,
  });
}

/** Changes the version; the toast leads to the plan that starts. */
export function useVersionChange(row: InstanceRow, onDone: () => void) {
  return useMutation({
    mutationFn: (wish: VersionChangeRequest) =>
      request<{ plan?: string }>(instanceApiPath(row.namespace, row.name, 'version'), {
        method: 'POST',
        body: { ...wish, ...lockWish(row.instance) },
      }),
    onMutate: () => row.instance,
    onSuccess: ({ plan }, _wish, before) => {
      if (plan !== undefined) {
        setLockBreak(row.instance, undefined);
        noteMyRun(row.key, plan, before);
      }
      onDone();
      showToast({
        tone: 'ok',
        title: plan === undefined ? 'Version changed' : `Version changed; plan ${plan} starts`,
        link: { label: 'Follow it', href: instancePath(row.namespace, row.name, 'plans') },
      });
    },
  });
}
