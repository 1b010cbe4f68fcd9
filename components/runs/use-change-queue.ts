'use client';

import { useMutation } from '@tanstack/react-query';
import { request } from '@/components/live/request';
import { showToast } from '@/components/ui/toast';
import type { QueueWish } from '@/lib/kudo/queue/queue-wish';
import { instanceApiPath } from '@/lib/kudo/view/instance-path';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';

/** Moves and removes runs in the queue of an Instance, and reports a removal, or a refusal, in a toast. */
export function useChangeQueue({ namespace, name }: Pick<InstanceRow, 'namespace' | 'name'>) {
  return useMutation({
    mutationFn: (wish: QueueWish) =>
      request(instanceApiPath(namespace, name, 'queue'), { method: 'PATCH', body: { ...wish } }),
    onSuccess: (_answer, wish) => {
      if (wish.do === 'remove') showToast({ tone: 'ok', title: `Plan ${wish.plan} is off the queue` });
    },
    onError: (error) => showToast({ tone: 'fail', title: 'The queue was not changed', detail: error.message }),
  });
}
