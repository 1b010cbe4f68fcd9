import { json, route } from '@/server/http/route';
import { driftReport } from '@/server/instances/drift-report';

/** What is not as the last plans left it, and what they left over. */
export const GET = route<{ namespace: string; name: string }>(async ({ session, params, signal }) =>
  json(await driftReport(session.api, params, signal)),
);
