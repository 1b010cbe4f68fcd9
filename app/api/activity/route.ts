import { parseActivityFilter } from '@/lib/audit/activity';
import { activityOfPerson } from '@/server/audit/activity-of-person';
import { activityPage } from '@/server/audit/read-activity';
import { json, route } from '@/server/http/route';
import { runtime } from '@/server/runtime/runtime';

export const dynamic = 'force-dynamic';

const FEW = 1_000;
/** As many as memory keeps, and records of the cluster. */
const MOST = 100_000;

/** `?q=&person=&namespace=&verb=&resource=&result=&within=&limit=&seen=`: lib/audit/activity, or `{unchanged: true}`. */
export const GET = route(async ({ session, query }) => {
  const seen = await activityOfPerson(session, query.get('seen') ?? undefined);
  if (seen === undefined) return json({ unchanged: true });
  const { audit, clock } = runtime();
  const limit = Math.min(MOST, Math.max(1, Number.parseInt(query.get('limit') ?? '', 10) || FEW));
  return json(activityPage(seen, parseActivityFilter(query), { limit, audit, nowMs: clock.now() }));
});
