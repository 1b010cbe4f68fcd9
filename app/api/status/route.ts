import { Refusal } from '@/server/http/problem';
import { json, route } from '@/server/http/route';
import { runtime } from '@/server/runtime/runtime';
import { mayReadStatus } from '@/server/status/may-read-status';
import { readProductStatus } from '@/server/status/server-status';

export const dynamic = 'force-dynamic';

/** `GET /api/status`: lib/status/product-status, for people who may list Instances of the whole cluster. */
export const GET = route(async ({ session, signal }) => {
  const { api, processStatus, clock } = runtime();
  if (!(await mayReadStatus(session, api, signal))) {
    const message = 'You may not see the status: it is for people who may list instances.kudo.dev in all namespaces.';
    throw new Refusal(403, 'Forbidden', message);
  }
  return json(await readProductStatus(await processStatus(), session.api, { clock, signal }));
});
