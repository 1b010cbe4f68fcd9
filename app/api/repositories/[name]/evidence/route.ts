import { json, route } from '@/server/http/route';
import { openStored, repositoryPlace } from '@/server/repositories/console-repositories';
import { readEvidence, readVersionWish } from '@/server/repositories/repository-version';

/** `?name=&operatorVersion=&appVersion=`: signature, provenance and SBOM of a version. */
export const GET = route<{ name: string }>(async ({ request, params: { name }, query }) => {
  const opened = await openStored(await repositoryPlace(request), name);
  return json(
    await readEvidence(
      opened,
      readVersionWish((field) => query.get(field)),
    ),
  );
});
