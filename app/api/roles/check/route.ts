import { Refusal } from '@/server/http/problem';
import { json, route } from '@/server/http/route';
import { checkSubject } from '@/server/rights/read-roles';

const MOST_GROUPS = 50;

/** `?namespace=demo&user=jo&group=dev&group=ops`: what that user, in these groups, may do with operators there. */
export const GET = route(async ({ session, query, signal }) => {
  const [namespace, user, groups] = [query.get('namespace') ?? '', query.get('user') ?? '', query.getAll('group')];
  if (namespace === '') throw new Refusal(400, 'BadRequest', 'Say where: namespace is missing.');
  if (user === '' && groups.length === 0) throw new Refusal(400, 'BadRequest', 'Say who: user and group are missing.');
  if (groups.length > MOST_GROUPS) throw new Refusal(400, 'BadRequest', `Name at most ${MOST_GROUPS} groups.`);
  return json({ actions: await checkSubject(session.api, { user, groups }, namespace, signal) });
});
