'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useInstanceView } from '@/components/instance-view/instance-context';
import { request } from '@/components/live/request';
import { showToast } from '@/components/ui/toast';
import type { ObjectsResult } from '@/lib/kudo/drift/report';
import { instanceApiPath } from '@/lib/kudo/view/instance-path';

/** Restores or removes objects, and reports the result in toasts: one for the successes, one for each failure. */
export function useDriftAction(
  action: 'restore' | 'prune',
  words: { done: string; failed: string; failedAll: string },
) {
  const { namespace, name } = useInstanceView();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: unknown) =>
      request<ObjectsResult>(instanceApiPath(namespace, name, `drift/${action}`), { method: 'POST', body }),
    onSuccess: ({ done, failed }) => {
      const names = done.map((object) => `${object.kind} ${object.name}`).join(', ');
      if (done.length > 0) showToast({ tone: 'ok', title: `${words.done}: ${names}` });
      for (const object of failed) {
        showToast({ tone: 'fail', title: `${object.kind} ${object.name} ${words.failed}`, detail: object.message });
      }
    },
    onError: (error) => showToast({ tone: 'fail', title: `The objects ${words.failedAll}`, detail: error.message }),
    onSettled: () => client.invalidateQueries({ queryKey: ['drift', namespace, name] }),
  });
}
