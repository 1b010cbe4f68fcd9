import { type Capacity, clusterCapacity, NodeTotals, PodRequests } from '@/lib/kube/capacity';
import { limits } from '@/lib/limits/limits';
import type { Api } from '@/server/kube/api';

const NODES = { group: '', version: 'v1', resource: 'nodes' };
const PODS = { group: '', version: 'v1', resource: 'pods' };

/**
 * The capacity of the cluster, in the authority of the person; undefined when there are more pods than are added up for one answer.
 *
 * @throws the errors of Api, when the person may not list Nodes or pods
 */
export async function readCapacity(api: Api, signal: AbortSignal): Promise<Capacity | undefined> {
  let nodes = new NodeTotals();
  await api.list(NODES, {
    signal,
    onPage: ({ items, isFirst }) => {
      if (isFirst) nodes = new NodeTotals();
      nodes.add(items);
    },
  });
  let sum = new PodRequests();
  const enough = new AbortController();
  let read = 0;
  try {
    await api.list(PODS, {
      signal: AbortSignal.any([signal, enough.signal]),
      onPage: ({ items, isFirst, remaining = 0 }) => {
        if (isFirst) [sum, read] = [new PodRequests(), 0];
        read += items.length;
        if (read + remaining > limits.capacityPods) enough.abort();
        else sum.add(items);
      },
    });
  } catch (error) {
    if (!enough.signal.aborted) throw error;
  }
  return enough.signal.aborted ? undefined : clusterCapacity(nodes, sum);
}
