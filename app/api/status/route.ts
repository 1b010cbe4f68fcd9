import { sessionIn } from '@/server/auth/session';
import { Refusal } from '@/server/http/problem';
import { json, route } from '@/server/http/route';
import { runtime } from '@/server/runtime/runtime';
import { mayReadStatus } from '@/server/status/may-read-status';
import { readProductStatus } from '@/server/status/server-status';

export const dynamic = 'force-dynamic';

/** `GET /api/status`: lib/status/product-status, for people who may list Instances of the whole cluster. */
export const GET = route(async ({ request, signal }) => {
  const { clusters, processStatus, clock } = runtime();
  // The process is of the home cluster, and so is the right to know about it.
  const session = await sessionIn(request, clusters.home.name);
  if (!(await mayReadStatus(session, clusters.home.api, signal))) {
    const message = 'You may not see the status: it is for people who may list instances.kudo.dev in all namespaces.';
    throw new Refusal(403, 'Forbidden', message);
  }
  return json(await readProductStatus(await processStatus(), session.api, { clock, signal }));
});
