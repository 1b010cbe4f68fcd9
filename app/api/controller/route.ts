import type { ControllerOffer } from '@/lib/kudo/installation/controller-offer';
import type { ClusterRuntime } from '@/server/clusters/cluster-runtime';
import { startControllerIn } from '@/server/clusters/start-controller-in';
import { json, route } from '@/server/http/route';
import { runtime } from '@/server/runtime/runtime';

/** Whether a controller may be started beside this console, and what it would write to the cluster. */
export const GET = route(async ({ session }) => json((await offerOf(session.cluster)) satisfies ControllerOffer));

/** The controller of this console runs the plans of the home cluster alone. */
const offerOf = async (cluster: ClusterRuntime): Promise<ControllerOffer> =>
  cluster.isHome ? runtime().controllerOffer() : { setting: 'off', state: 'off', writes: [] };

/** Starts it, because a person asked for it. Refused with BRAVO_CONTROLLER=off. */
export const POST = route(async ({ session }) => {
  await startControllerIn(session.cluster);
  return json({ controller: runtime().controllerState() });
});
