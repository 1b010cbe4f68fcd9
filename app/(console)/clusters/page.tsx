import type { Metadata } from 'next';
import { ClustersPage } from '@/components/clusters/clusters-page';

export const metadata: Metadata = { title: 'Clusters' };

export default function Page() {
  return <ClustersPage />;
}
