'use client';

import { useMemo } from 'react';
import { useTopic } from '@/components/live/use-topic';
import { nameOf } from '@/lib/kube/object';
import { liveKey } from '@/lib/live/frames';
import { topics } from '@/lib/live/topic';
import type { NamesInUse } from './install-draft';

/** The names that an install cannot use, live. */
export function useTakenNames(): NamesInUse {
  const { objects: namespaces, status } = useTopic(topics.namespaces);
  const instances = useTopic(topics.instanceRows).objects;
  return useMemo(
    () => ({
      namespaces: status === 'forbidden' ? undefined : new Set(namespaces.map(nameOf)),
      instances: new Set(instances.map(liveKey)),
    }),
    [namespaces, status, instances],
  );
}
