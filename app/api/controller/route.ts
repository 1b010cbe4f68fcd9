import type { ControllerOffer } from '@/lib/kudo/installation/controller-offer';
import { json, route } from '@/server/http/route';
import { runtime } from '@/server/runtime/runtime';

/** Whether a controller may be started beside this console, and what it would write to the cluster. */
export const GET = route(async () => json((await runtime().controllerOffer()) satisfies ControllerOffer));

/** Starts it, because a person asked for it. Refused with BRAVO_CONTROLLER=off. */
export const POST = route(async () => {
  await runtime().startController();
  return json({ controller: runtime().controllerState() });
});
