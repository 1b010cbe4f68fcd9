import { getAt } from '@/lib/json/json';
import { json, route } from '@/server/http/route';
import { pruneObjects } from '@/server/instances/prune-objects';
import { readTexts } from '@/server/instances/read-texts';

/** Removes the leftovers with the body's `uids`; claims among them only with `claims: true`, cluster-scoped ones with `shared: true`. */
export const POST = route<{ namespace: string; name: string }>(async ({ session, params, body }) => {
  const [claims, shared] = [getAt(body, 'claims') === true, getAt(body, 'shared') === true];
  const wish = { uids: readTexts(body, 'uids') ?? [], claims, shared };
  return json(await pruneObjects(session.api, params, wish));
});
