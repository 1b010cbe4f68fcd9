'use client';

import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { lockKey, lockWish, useLockBreak } from '@/components/access/instance-lock';
import { request } from '@/components/live/request';
import { instanceApiPath } from '@/lib/kudo/view/instance-path';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import type { PlanPreview } from '@/lib/kudo/view/plan-preview';
import type { PlanToStart } from './use-run-plan';

/** What starting a plan would do, asked again while values are typed and when the Instance changes. */
export function usePlanPreview(row: InstanceRow, { plan, parameters, retryOf = '', approval = '' }: PlanToStart) {
  const asked = useDeferredValue(parameters);
  const breakLock = useLockBreak(row.instance);
  const gates = [lockKey(row.instance), breakLock, approval];
  return useQuery({
    queryKey: ['plan-preview', row.key, plan, row.instance.spec, asked, retryOf, gates],
    queryFn: ({ signal }) =>
      request<PlanPreview>(
        `${instanceApiPath(row.namespace, row.name, `plans/${encodeURIComponent(plan)}`)}?dryRun=true`,
        {
          method: 'POST',
          body: { parameters: asked ?? {}, retryOf, approval, ...lockWish(row.instance) },
          signal,
        },
      ),
    placeholderData: (before) => before,
    retry: false,
    gcTime: 0,
  });
}
