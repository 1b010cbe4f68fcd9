import { limits } from '@/lib/limits/limits';
import { Refusal } from '@/server/http/problem';
import { json, route } from '@/server/http/route';

/** `?uid=&namespace=`: the objects that the garbage collector takes along. `uid` may come several times: what goes when all of them go. */
export const GET = route(async ({ resources, query }) => {
  const uids = query.getAll('uid').filter(Boolean);
  if (uids.length === 0) throw new Refusal(400, 'BadRequest', 'Say which object: uid is missing.');
  if (uids.length > limits.bulk.examined) {
    throw new Refusal(
      400,
      'BadRequest',
      `Ask for at most ${limits.bulk.examined} objects at once; uid comes ${uids.length} times.`,
    );
  }
  return json({ dependents: await resources.dependents(uids, query.get('namespace') || undefined) });
});
