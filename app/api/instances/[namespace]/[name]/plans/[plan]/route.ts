import { json, route } from '@/server/http/route';
import { triggerPlan } from '@/server/instances/trigger-plan';
import { runtime } from '@/server/runtime/runtime';

/** Starts a plan; answers with the UID of the run. */
export const POST = route<{ namespace: string; name: string; plan: string }>(async ({ session, params }) => {
  const { namespace, name, plan } = params;
  return json(await triggerPlan(session.api, { namespace, name }, plan, runtime().random), 202);
});
