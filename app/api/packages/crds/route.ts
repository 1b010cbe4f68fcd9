import { getAt } from '@/lib/json/json';
import { askRefusedAgain } from '@/server/auth/session';
import { startControllerIn } from '@/server/clusters/start-controller-in';
import { json, route } from '@/server/http/route';
import { installCrds } from '@/server/kube/install-crds';
import { runtime } from '@/server/runtime/runtime';

/** `{controller?: true}`: installs KUDO's CRDs in this cluster, and starts the controller where the person asked for that too. */
export const POST = route(async ({ session, body, signal }) => {
  await installCrds(session.api, runtime().clock, { signal });
  askRefusedAgain(session.cluster);
  if (getAt(body, 'controller') === true) await startControllerIn(session.cluster);
  return json({ installed: true, controller: session.cluster.isHome ? runtime().controllerState() : 'off' });
});
