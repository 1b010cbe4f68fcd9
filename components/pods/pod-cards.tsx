'use client';

import type { KubeObject } from '@/lib/kube/object';
import { ContainersCard } from './containers-card';
import { DebugButton } from './debug-button';
import { PodPlaceCard, VolumesCard } from './pod-place-card';

/** What the page of a pod has in its wide column before all others. */
export function PodMainCards({ pod }: { pod: KubeObject }) {
  return <ContainersCard pod={pod} action={<DebugButton pod={pod} />} />;
}

/** And in its narrow one. */
export function PodSideCards({ pod }: { pod: KubeObject }) {
  return (
    <>
      <PodPlaceCard pod={pod} />
      <VolumesCard pod={pod} />
    </>
  );
}
