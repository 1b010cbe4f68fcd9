import { json, route } from '@/server/http/route';
import { openStored, repositoryPlace } from '@/server/repositories/console-repositories';
import { addToCatalogue, wishOfBody } from '@/server/repositories/repository-version';

/** `{name, operatorVersion, appVersion}`: puts a version into the catalogue, when it is signed as the repository requires it. */
export const POST = route<{ name: string }>(async ({ request, params: { name }, body }) => {
  const opened = await openStored(await repositoryPlace(request), name);
  return json({ package: await addToCatalogue(opened, wishOfBody(body)) }, 201);
});
