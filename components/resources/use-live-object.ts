'use client';

import { useObject } from '@/components/live/use-topic';
import type { KubeObject } from '@/lib/kube/object';
import type { ObjectAddress } from './object-draft';
import { useLastState } from './use-last-state';

/** The object of an address as it is now, or as it was last. */
export function useLiveObject({ type, namespace, name }: ObjectAddress): KubeObject | undefined {
  return useLastState(useObject({ ...type, namespace: namespace || undefined }, namespace, name).object);
}
