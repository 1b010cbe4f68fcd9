import { json, route } from '@/server/http/route';
import { readContent, repositoryPlace } from '@/server/repositories/console-repositories';

/** `?refresh=true` asks the repository again; else what was read within five minutes is enough. */
export const GET = route<{ name: string }>(async ({ request, params: { name }, query }) =>
  json(await readContent(await repositoryPlace(request), name, query.get('refresh') === 'true')),
);
