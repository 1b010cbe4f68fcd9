import { json, route } from '@/server/http/route';
import { installCrds } from '@/server/kube/install-crds';
import { runtime } from '@/server/runtime/runtime';

/** Installs KUDO's CRDs in this cluster, because a person asked for it, and starts the controller where it may run. */
export const POST = route(async ({ session, signal }) => {
  await installCrds(session.api, runtime().clock, signal);
  runtime().hub.askRefusedAgain();
  await runtime().startController();
  return json({ installed: true, controller: runtime().controllerState() });
});
