'use client';

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { request } from '@/components/live/request';
import { useTopic } from '@/components/live/use-topic';
import { systemClock, type Timer } from '@/lib/clock/clock';
import type { OwnedObjects } from '@/lib/kudo/inventory/owned-object';
import { instanceApiPath } from '@/lib/kudo/view/instance-path';
import { topics } from '@/lib/live/topic';
import { useInstanceView } from './instance-context';

/** Changes come in bursts; the objects are read again this long after the first change. */
const BURST_MS = 700;

/**
 * The objects of the page's Instance with their health. Pods and the Instance are watched; each change of them
 * reads the rest again, because watching every kind would cost one watch per kind.
 */
export function useOwnedObjects() {
  const { namespace, name, row, deleted } = useInstanceView();
  const pods = useTopic(topics.podsOf(namespace, name)).objects;
  const client = useQueryClient();
  const version = row?.instance.metadata.resourceVersion;
  const timer = useRef<Timer>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of pods or version is the reason to read again, not an input
  useEffect(() => {
    if (timer.current !== undefined) return;
    timer.current = systemClock.after(BURST_MS, () => {
      timer.current = undefined;
      void client.invalidateQueries({ queryKey: ['owned', namespace, name] });
    });
  }, [client, namespace, name, pods, version, deleted]);
  return useQuery({
    queryKey: ['owned', namespace, name],
    queryFn: ({ signal }) => request<OwnedObjects>(instanceApiPath(namespace, name, 'resources'), { signal }),
    placeholderData: keepPreviousData,
  });
}
