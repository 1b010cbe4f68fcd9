'use client';

import { StatusIcon } from '@/components/ui/status-icon';
import { useClusterHealth, useIsCurrent } from './use-clusters';

/** In a cluster that does not accept the person: what its pages say of missing rights is not the reason. */
export function RefusedBanner() {
  const { data } = useClusterHealth();
  const isCurrent = useIsCurrent();
  const current = data?.clusters.find(isCurrent);
  if (current?.state !== 'refused' || current.source === 'home') return null;
  return (
    <p
      role="status"
      className="flex flex-wrap items-center gap-x-2 border-b bg-wait-soft px-4 py-2 font-medium text-wait md:px-6"
    >
      <StatusIcon shape="octagon" />
      {current.title} refused your sign-in
      <span className="font-normal text-ink-2">{current.problem}</span>
    </p>
  );
}
