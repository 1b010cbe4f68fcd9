'use client';

import { useMutation } from '@tanstack/react-query';
import { lockWish, setLockBreak } from '@/components/access/instance-lock';
import { noteAccepted } from '@/components/instance-view/accepted-edit';
import { useInstanceView } from '@/components/instance-view/instance-context';
import { noteMyRun } from '@/components/instance-view/my-runs';
import { request } from '@/components/live/request';
import { showToast } from '@/components/ui/toast';
import { planTitle } from '@/lib/kudo/names';
import type { RunWishes } from '@/lib/kudo/runs/run-request';
import { instanceApiPath, instancePath } from '@/lib/kudo/view/instance-path';
import { planTitleOf } from '@/lib/kudo/view/plan-availability';

/** A plan to start, with what the person entered in its dialog. */
export interface PlanToStart extends RunWishes {
  readonly plan: string;
  /** New values of parameters that the plan asks for; null means the default. */
  readonly parameters?: { readonly [name: string]: string | null };
  /** The confirmation of a destructive plan: `PLAN/INSTANCE`. */
  readonly confirm?: string;
}

/** Starts a plan of the page's Instance, and reports the result in a toast. */
export function useRunPlan() {
  const { namespace, name, row } = useInstanceView();
  return useMutation({
    mutationFn: ({ plan, ...body }: PlanToStart) =>
      request<{ uid?: string; isQueued?: boolean }>(
        instanceApiPath(namespace, name, `plans/${encodeURIComponent(plan)}`),
        { method: 'POST', body: { ...body, ...lockWish(row?.instance) } },
      ),
    onMutate: () => row?.instance,
    onSuccess: ({ isQueued = false }, { plan }, before) => {
      noteMyRun(`${namespace}/${name}`, plan, before);
      if (row !== undefined) {
        if (!isQueued && before !== undefined) noteAccepted(before, plan);
        setLockBreak(row.instance, undefined);
      }
      showToast({
        tone: 'ok',
        title: `${row === undefined ? planTitle(plan) : planTitleOf(row, plan)}: plan ${plan} ${isQueued ? 'waits in the queue' : 'started'}`,
        link: { label: 'Follow the plan', href: instancePath(namespace, name, 'plans') },
      });
    },
    onError: (error, { plan }) =>
      showToast({ tone: 'fail', title: `Plan ${plan} was not started`, detail: error.message }),
  });
}
