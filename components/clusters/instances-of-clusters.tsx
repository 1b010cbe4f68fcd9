'use client';

import dynamic from 'next/dynamic';
import { InstancesPage } from '@/components/instances/instances-page';
import { LinkButton } from '@/components/ui/button';
import { loadPart } from '@/components/ui/load-part';
import { useSearchParams } from '@/components/ui/navigation';
import { useClusterHealth } from './use-clusters';

const AllInstancesPage = dynamic(() =>
  loadPart(() => import('./all-instances-page')).then((module) => module.AllInstancesPage),
);

/** The page Instances: of the page's cluster, or of all (`?clusters=all`). */
export function InstancesOfClusters() {
  const isAll = useSearchParams().get('clusters') === 'all';
  const { data } = useClusterHealth();
  if (isAll) return <AllInstancesPage />;
  const count = data?.clusters.length ?? 1;
  return (
    <InstancesPage scope={count > 1 && <LinkButton href="/instances?clusters=all">All {count} clusters</LinkButton>} />
  );
}
