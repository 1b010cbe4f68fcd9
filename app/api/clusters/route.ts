import type { ClusterList, ClusterTrial } from '@/lib/clusters/cluster-info';
import { readNewCluster, tryCluster } from '@/server/clusters/add-cluster';
import { infoOf, listClusters } from '@/server/clusters/cluster-list';
import { createClusterSecret } from '@/server/clusters/cluster-secrets';
import { homeSession } from '@/server/clusters/home-session';
import { Refusal } from '@/server/http/problem';
import { json, route } from '@/server/http/route';
import { runtime } from '@/server/runtime/runtime';

export const dynamic = 'force-dynamic';

/** `GET /api/clusters`: all clusters, as they answer this person now. */
export const GET = route(async ({ request }) => json((await listClusters(request)) satisfies ClusterList));

/** Tests a cluster and saves it as a Secret of the home cluster, with the person's own right to create Secrets there. */
export const POST = route(async ({ request, body }) => {
  const { clusters, clock, signIn } = runtime();
  const wanted = readNewCluster(body);
  const home = await homeSession(request, 'create');
  if ((await clusters.known()).some(({ name }) => name === wanted.name)) {
    const message = `There is a cluster ${wanted.name} already. Choose another name.`;
    throw new Refusal(409, 'AlreadyExists', message, [{ field: 'name', message }]);
  }
  const { checks, kubeconfig } = await tryCluster(wanted, { impersonates: signIn !== undefined, clock });
  if (kubeconfig === undefined) return json({ checks } satisfies ClusterTrial, 422);
  await createClusterSecret(home.api, { namespace: clusters.namespace, name: wanted.name }, kubeconfig.config);
  await clusters.readAgain();
  const known = (await clusters.known()).find(({ name }) => name === wanted.name);
  const info = known === undefined ? undefined : await infoOf(request, known);
  return json({ checks, info } satisfies ClusterTrial, 201);
});
