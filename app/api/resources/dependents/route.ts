import { Refusal } from '@/server/http/problem';
import { json, route } from '@/server/http/route';

/** `?uid=&namespace=`: the objects that the garbage collector takes along. */
export const GET = route(async ({ resources, query }) => {
  const uid = query.get('uid');
  if (uid === null || uid === '') throw new Refusal(400, 'BadRequest', 'Say which object: uid is missing.');
  return json({ dependents: await resources.dependents(uid, query.get('namespace') || undefined) });
});
