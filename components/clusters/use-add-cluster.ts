'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type RequestError, request } from '@/components/live/request';
import { showToast } from '@/components/ui/toast';
import type { ClusterTrial, NewCluster } from '@/lib/clusters/cluster-info';
import { CLUSTERS_KEY } from './use-clusters';

/** Tests a cluster, and saves it. `answer` has the checks of the last test. */
export function useAddCluster(wanted: NewCluster, onSaved: () => void) {
  const client = useQueryClient();
  const test = useMutation<ClusterTrial, RequestError>({
    mutationFn: () => request<ClusterTrial>('/api/clusters/test', { method: 'POST', body: wanted }),
    onMutate: () => save.reset(),
  });
  const save = useMutation<ClusterTrial, RequestError>({
    mutationFn: () => request<ClusterTrial>('/api/clusters', { method: 'POST', body: wanted }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: CLUSTERS_KEY });
      showToast({ tone: 'ok', title: `${wanted.name} was added to the console` });
      onSaved();
    },
    // The cluster does not answer as it did when it was tested: the checks say what is different.
    onError: ({ status, causes }) => {
      if (status === 422 && causes.length === 0) test.mutate();
    },
  });
  const reset = () => {
    test.reset();
    save.reset();
  };
  return { test, save, answer: test.data, reset };
}
