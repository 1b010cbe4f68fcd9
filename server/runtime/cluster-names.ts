import { clusterNameOf } from '@/lib/clusters/cluster-name';
import { runtime } from './runtime';

/** The names of the clusters in addresses (`/c/NAME/…`); the home cluster, which needs none, is the first. */
export function clusterNames(): readonly string[] {
  return [clusterNameOf(runtime().cluster.context)];
}
