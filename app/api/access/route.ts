import { parseQuestion } from '@/lib/kube/access';
import { Refusal } from '@/server/http/problem';
import { json, route } from '@/server/http/route';

/** `?ask=patch:kudo.dev/instances@demo`: whether the person may do that, and who they are to the cluster. */
export const GET = route(async ({ session, query }) => {
  const question = parseQuestion(query.get('ask') ?? '');
  if (question === undefined) {
    throw new Refusal(400, 'BadRequest', 'Say which right: ask is missing, as in patch:kudo.dev/instances@demo.');
  }
  return json({ ...(await session.cluster.access.ask(session, question)), user: session.user.name });
});
