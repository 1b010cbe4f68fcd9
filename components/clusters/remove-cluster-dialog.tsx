'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { openInCluster } from '@/components/live/address';
import { type RequestError, request } from '@/components/live/request';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Notice } from '@/components/ui/notice';
import { showToast } from '@/components/ui/toast';
import type { ClusterInfo } from '@/lib/clusters/cluster-info';
import { CLUSTERS_KEY, useIsCurrent } from './use-clusters';

/** Asks before a cluster is taken out of the console; nothing inside of that cluster changes. */
export function RemoveClusterDialog({ cluster, onClose }: { cluster: ClusterInfo | undefined; onClose: () => void }) {
  return (
    <Dialog open={cluster !== undefined} onClose={onClose} title={`Remove ${cluster?.title ?? 'the cluster'}?`}>
      {cluster !== undefined && <RemoveForm cluster={cluster} onClose={onClose} />}
    </Dialog>
  );
}

function RemoveForm({ cluster, onClose }: { cluster: ClusterInfo; onClose: () => void }) {
  const client = useQueryClient();
  const isCurrent = useIsCurrent()(cluster);
  const remove = useMutation<unknown, RequestError>({
    mutationFn: () => request(`/api/clusters/${cluster.name}`, { method: 'DELETE' }),
    onSuccess: async () => {
      // The pages of a removed cluster lead nowhere.
      if (isCurrent) return openInCluster(undefined, '/clusters');
      await client.invalidateQueries({ queryKey: CLUSTERS_KEY });
      showToast({ tone: 'ok', title: `${cluster.title} was removed from the console` });
      onClose();
    },
  });
  return (
    <div className="grid gap-4">
      <p>
        The console forgets the kubeconfig of this cluster: its Secret <code>bravo-cluster-{cluster.name}</code> is
        deleted from the home cluster. Nothing in {cluster.title} is changed; its Instances keep running.
      </p>
      {remove.error !== null && (
        <Notice tone="fail" alert title={`${cluster.title} was not removed`}>
          {remove.error.message}
        </Notice>
      )}
      <div className="flex justify-end gap-2">
        <Button data-first-focus="" onClick={onClose}>
          Cancel
        </Button>
        <Button variant="destroy" busy={remove.isPending} onClick={() => remove.mutate()}>
          Remove cluster
        </Button>
      </div>
    </div>
  );
}
