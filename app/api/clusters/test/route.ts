import type { ClusterTrial } from '@/lib/clusters/cluster-info';
import { readNewCluster, tryCluster } from '@/server/clusters/add-cluster';
import { homeSession } from '@/server/clusters/home-session';
import { json, route } from '@/server/http/route';
import { runtime } from '@/server/runtime/runtime';

/** Tries a cluster that a person may add, and saves nothing. */
export const POST = route(async ({ request, body }) => {
  const { clock, signIn } = runtime();
  const wanted = readNewCluster(body);
  // Who may not add clusters must not make the server connect to addresses of their choice.
  await homeSession(request, 'create');
  const { checks } = await tryCluster(wanted, { impersonates: signIn !== undefined, clock });
  return json({ checks } satisfies ClusterTrial);
});
