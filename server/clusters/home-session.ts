import { askAccess } from '@/server/auth/access-reviews';
import type { RequestSession } from '@/server/auth/person-of-request';
import { sessionIn } from '@/server/auth/session';
import { Refusal } from '@/server/http/problem';
import { runtime } from '@/server/runtime/runtime';

/** The person in the home cluster, when they may do that with Secrets of the console's namespace. @throws Refusal 403 that names the right */
export async function homeSession(request: Request, verb: 'create' | 'delete'): Promise<RequestSession> {
  const { clusters, clock } = runtime();
  const session = await sessionIn(request, clusters.home.name);
  const { namespace } = clusters;
  const { allowed } = await askAccess(session.api, clock, { verb, group: '', resource: 'secrets', namespace });
  if (allowed) return session;
  const what = verb === 'create' ? 'add' : 'remove';
  const message = `You may not ${what} clusters: that takes the right to ${verb} secrets in namespace ${namespace} of the home cluster.`;
  throw new Refusal(403, 'Forbidden', message);
}
