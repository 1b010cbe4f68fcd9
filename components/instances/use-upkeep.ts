'use client';

import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { request } from '@/components/live/request';
import { showToast } from '@/components/ui/toast';
import { systemClock, type Timer } from '@/lib/clock/clock';
import type { UpkeepReport, UpkeepResult } from '@/lib/kudo/upkeep/report';
import { useInstanceView } from './instance-context';
import { instanceApiPath } from './instance-path';

/** Changes come in bursts; the report is read again once a burst has lasted this long. */
const BURST_MS = 500;

/** What of the page's Instance is not as its last plans left it. `ring` has it read again soon. */
export function useUpkeep() {
  const { namespace, name, row, deleted } = useInstanceView();
  const client = useQueryClient();
  const timer = useRef<Timer>(undefined);
  const ring = useCallback(() => {
    if (timer.current !== undefined) return;
    timer.current = systemClock.after(BURST_MS, () => {
      timer.current = undefined;
      void client.invalidateQueries({ queryKey: ['upkeep', namespace, name] });
    });
  }, [client, namespace, name]);
  const version = row?.instance.metadata.resourceVersion;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version is the bell, not an input
  useEffect(ring, [ring, version]);
  const report = useQuery({
    queryKey: ['upkeep', namespace, name],
    queryFn: ({ signal }) => request<UpkeepReport>(instanceApiPath(namespace, name, 'upkeep'), { signal }),
    placeholderData: keepPreviousData,
    enabled: !deleted,
  });
  return { report, ring };
}

/** Restores or removes objects; says what came of it in a toast, one line for each object that could not be done. */
export function useUpkeepAction(action: 'restore' | 'prune', words: { done: string; failed: string }) {
  const { namespace, name } = useInstanceView();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: unknown) =>
      request<UpkeepResult>(instanceApiPath(namespace, name, `upkeep/${action}`), { method: 'POST', body }),
    onSuccess: ({ done, failed }) => {
      const names = done.map((object) => `${object.kind} ${object.name}`).join(', ');
      if (done.length > 0) showToast({ tone: 'ok', title: `${words.done}: ${names}` });
      for (const object of failed) {
        showToast({ tone: 'fail', title: `${object.kind} ${object.name} ${words.failed}`, detail: object.message });
      }
    },
    onError: (error) => showToast({ tone: 'fail', title: `Nothing ${words.failed}`, detail: error.message }),
    onSettled: () => client.invalidateQueries({ queryKey: ['upkeep', namespace, name] }),
  });
}
