import type { Metadata } from 'next';
import { Suspense } from 'react';
import { InstancesOfClusters } from '@/components/clusters/instances-of-clusters';

export const metadata: Metadata = { title: 'Instances' };

export default function Page() {
  return (
    <Suspense>
      <InstancesOfClusters />
    </Suspense>
  );
}
