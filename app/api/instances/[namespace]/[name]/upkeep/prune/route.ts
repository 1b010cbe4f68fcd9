import { getAt } from '@/lib/json/json';
import { json, route } from '@/server/http/route';
import { pruneObjects } from '@/server/instances/prune-objects';
import { readTexts } from '@/server/instances/read-texts';

/** Removes the leftovers with the body's `uids`; claims among them only with `claims: true`. */
export const POST = route<{ namespace: string; name: string }>(async ({ session, params, body }) => {
  const wish = { uids: readTexts(body, 'uids') ?? [], claims: getAt(body, 'claims') === true };
  return json(await pruneObjects(session.api, params, wish));
});
