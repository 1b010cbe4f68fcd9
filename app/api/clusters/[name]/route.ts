import { deleteClusterSecret } from '@/server/clusters/cluster-secrets';
import { homeSession } from '@/server/clusters/home-session';
import { Refusal } from '@/server/http/problem';
import { json, route } from '@/server/http/route';
import { runtime } from '@/server/runtime/runtime';

/** Removes a cluster from this console: its Secret. In the cluster itself nothing changes. */
export const DELETE = route<{ name: string }>(async ({ request, params: { name } }) => {
  const { clusters } = runtime();
  const home = await homeSession(request, 'delete');
  const known = (await clusters.known()).find((each) => each.name === name);
  const isBroken = clusters.broken().some((each) => each.name === name);
  if (known === undefined && !isBroken) throw new Refusal(404, 'NoSuchCluster', `There is no cluster ${name}.`);
  if (known !== undefined && known.source !== 'secret') {
    const where = known.source === 'home' ? 'the home cluster of this console' : 'a context of the kubeconfig';
    throw new Refusal(409, 'NotRemovable', `Cluster ${name} is ${where}. It cannot be removed here.`);
  }
  for (const { secretName } of clusters.secretsOf(name)) {
    await deleteClusterSecret(home.api, clusters.namespace, secretName);
  }
  await clusters.readAgain();
  return json({ removed: name });
});
