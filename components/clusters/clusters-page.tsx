'use client';

import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { RequestError } from '@/components/live/request';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { Notice } from '@/components/ui/notice';
import { PageHeader } from '@/components/ui/page-header';
import { RoleToAskFor } from '@/components/ui/role-to-ask-for';
import { SkeletonRows } from '@/components/ui/skeleton';
import type { ClusterInfo } from '@/lib/clusters/cluster-info';
import { roleForRefusal } from '@/lib/kube/role-for-refusal';
import { AddClusterDialog } from './add-cluster-dialog';
import { ClusterTable } from './cluster-table';
import { RemoveClusterDialog } from './remove-cluster-dialog';
import { useClusters } from './use-clusters';

/** The clusters that this console shows: how each is, and the way to add and remove one. */
export function ClustersPage() {
  const { data, error } = useClusters();
  const clusters = data?.clusters ?? NO_CLUSTERS;
  const [isAdding, setIsAdding] = useState(false);
  const [removed, setRemoved] = useState<ClusterInfo>();
  const add = (
    <Button variant="primary" icon={<Plus size={16} aria-hidden="true" />} onClick={() => setIsAdding(true)}>
      Add cluster
    </Button>
  );
  return (
    <>
      <PageHeader title="Clusters" note={data !== undefined && String(clusters.length)} actions={add} />
      {error !== null && <Failure error={error} isKnown={data !== undefined} />}
      {data?.problem !== undefined && (
        <Notice tone="hold" title="Clusters that were added here may be missing" className="mb-4">
          {data.problem}
          <Role message={data.problem} />
        </Notice>
      )}
      <section className="card overflow-clip" aria-label="Clusters">
        {data === undefined && error === null && <SkeletonRows rows={3} />}
        {data !== undefined && <ClusterTable clusters={clusters} onRemove={setRemoved} />}
        {data !== undefined && clusters.length === 1 && (
          <EmptyState title="This console shows one cluster" guide="many-clusters">
            Add another one with its kubeconfig, or start the console with a kubeconfig that has several contexts.
          </EmptyState>
        )}
      </section>
      <AddClusterDialog open={isAdding} onClose={() => setIsAdding(false)} />
      <RemoveClusterDialog cluster={removed} onClose={() => setRemoved(undefined)} />
    </>
  );
}

const NO_CLUSTERS: readonly ClusterInfo[] = [];

/** The Role to ask for, where a refusal of the API server says which. */
function Role({ message }: { message: string }) {
  const role = roleForRefusal(message);
  return role === undefined ? null : <RoleToAskFor role={role} />;
}

function Failure({ error, isKnown }: { error: RequestError; isKnown: boolean }) {
  if (error.status === 403) {
    return (
      <Notice tone="hold" title="You may not see the clusters" className="mb-4">
        {error.message}
        <Role message={error.message} />
      </Notice>
    );
  }
  const title = error.status === 0 ? 'The console does not answer' : 'The clusters cannot be read';
  return (
    <Notice tone="wait" title={title} className="mb-4">
      {error.message}
      {isKnown && ' The page shows what was known before.'}
    </Notice>
  );
}
