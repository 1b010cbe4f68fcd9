import { getAt } from '@/lib/json/json';
import { askRefusedAgain } from '@/server/auth/session';
import { json, route } from '@/server/http/route';
import { installCrds } from '@/server/kube/install-crds';
import { runtime } from '@/server/runtime/runtime';

/** `{controller?: true}`: installs KUDO's CRDs in this cluster, and starts the controller where the person asked for that too. */
export const POST = route(async ({ session, body, signal }) => {
  await installCrds(session.api, runtime().clock, { signal });
  askRefusedAgain();
  if (getAt(body, 'controller') === true) await runtime().startController();
  return json({ installed: true, controller: runtime().controllerState() });
});
