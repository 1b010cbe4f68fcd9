import { findInClusters } from '@/server/clusters/cluster-rows';
import { Refusal } from '@/server/http/problem';
import { json, route } from '@/server/http/route';

const LONGEST = 100;

/** `?q=post`: Instances of all clusters whose namespace or name contains the text; 50 at most. */
export const GET = route(async ({ request, query, signal }) => {
  const text = query.get('q')?.trim() ?? '';
  if (text === '' || text.length > LONGEST)
    throw new Refusal(400, 'BadRequest', `Say what to find in 1 to ${LONGEST} characters: q=post.`);
  return json({ results: await findInClusters(request, text, signal) });
});
