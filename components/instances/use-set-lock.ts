'use client';

import { useMutation } from '@tanstack/react-query';
import { request } from '@/components/live/request';
import { kubePath } from '@/components/resources/resource-path';
import { showToast } from '@/components/ui/toast';
import { type InstanceLock, LOCK_ANNOTATION, lockText } from '@/lib/kudo/lock/instance-lock';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { topics } from '@/lib/live/topic';

/** Locks an Instance, or takes its lock off (`undefined`), with the rights of the person; the webhook adds who it is. */
export function useSetLock(row: InstanceRow, onDone: () => void) {
  return useMutation({
    mutationFn: (lock: InstanceLock | undefined) => {
      const annotations = { [LOCK_ANNOTATION]: lock === undefined ? null : lockText(lock) };
      // A lock that somebody else has set meanwhile is not replaced.
      const { resourceVersion = '' } = row.instance.metadata;
      const metadata = lock === undefined ? { annotations } : { annotations, resourceVersion };
      const path = kubePath({ ...topics.instances, namespace: row.namespace, name: row.name });
      return request(`${path}?fieldManager=bravo-console`, {
        method: 'PATCH',
        contentType: 'application/merge-patch+json',
        body: { metadata },
      });
    },
    onSuccess: (_answer, lock) => {
      onDone();
      showToast({ tone: 'ok', title: `${row.name} ${lock === undefined ? 'unlocked' : 'locked'}` });
    },
    onError: (error, lock) => {
      const what = lock === undefined ? 'unlocked' : 'locked';
      showToast({ tone: 'fail', title: `${row.name} was not ${what}`, detail: error.message });
    },
  });
}
