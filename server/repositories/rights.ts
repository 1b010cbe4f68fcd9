import { askAccess } from '@/server/auth/access-reviews';
import { Refusal } from '@/server/http/problem';
import { runtime } from '@/server/runtime/runtime';
import { type RepositoryPlace, repositoryPlace } from './console-repositories';

const WORDS = { create: 'add', patch: 'change', delete: 'remove' } as const;

/** The person, when they may do that with ConfigMaps of the console's namespace. @throws Refusal 403 that names the right */
export async function mayChangeRepositories(request: Request, verb: keyof typeof WORDS): Promise<RepositoryPlace> {
  const place = await repositoryPlace(request);
  const { namespace } = place;
  const { allowed } = await askAccess(place.api, runtime().clock, {
    verb,
    group: '',
    resource: 'configmaps',
    namespace,
  });
  if (allowed) return place;
  const message = `You may not ${WORDS[verb]} repositories: that takes the right to ${verb} configmaps in namespace ${namespace} of the home cluster.`;
  throw new Refusal(403, 'Forbidden', message);
}
