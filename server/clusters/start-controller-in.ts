import { Refusal } from '@/server/http/problem';
import { runtime } from '@/server/runtime/runtime';
import type { ClusterRuntime } from './cluster-runtime';

/** Starts the controller of this process, which runs the plans of the home cluster. @throws Refusal 409 for another cluster, or as startController */
export async function startControllerIn(cluster: ClusterRuntime): Promise<void> {
  if (cluster.isHome) return runtime().startController();
  const message = `This console starts a controller for its home cluster only. Install one in ${cluster.summary.context}: bravo init --context ${cluster.summary.context}.`;
  throw new Refusal(409, 'OtherCluster', message);
}
