'use client';

import { useMutation } from '@tanstack/react-query';
import { noteAccepted } from '@/components/instance-view/accepted-edit';
import { useInstanceView } from '@/components/instance-view/instance-context';
import { request } from '@/components/live/request';
import { showToast } from '@/components/ui/toast';
import { planTitle } from '@/lib/kudo/names';
import { instanceApiPath, instancePath } from '@/lib/kudo/view/instance-path';

/** Starts a plan of the page's Instance, and reports the result in a toast. */
export function useRunPlan() {
  const { namespace, name, row } = useInstanceView();
  return useMutation({
    mutationFn: (plan: string) =>
      request<{ uid: string }>(instanceApiPath(namespace, name, `plans/${encodeURIComponent(plan)}`), {
        method: 'POST',
        body: {},
      }),
    onSuccess: (_answer, plan) => {
      if (row !== undefined) noteAccepted(row.instance, plan);
      showToast({
        tone: 'ok',
        title: `${planTitle(plan)}: plan ${plan} started`,
        link: { label: 'Follow the plan', href: instancePath(namespace, name, 'plans') },
      });
    },
    onError: (error, plan) => showToast({ tone: 'fail', title: `Plan ${plan} was not started`, detail: error.message }),
  });
}
