import type { RepositoryTrial } from '@/lib/kudo/repository/repository-info';
import { json, route } from '@/server/http/route';
import { listRepositories, repositoryPlace } from '@/server/repositories/console-repositories';
import { readRepositoryDraft } from '@/server/repositories/repository-draft';
import { createRepositoryObjects } from '@/server/repositories/repository-objects';
import { mayChangeRepositories } from '@/server/repositories/rights';
import { tryRepository } from '@/server/repositories/try-repository';

export const dynamic = 'force-dynamic';

/** The repositories of the console, without their credentials. */
export const GET = route(async ({ request }) => json(await listRepositories(await repositoryPlace(request))));

/** Tests a repository and saves it, with the person's own right to create ConfigMaps and Secrets in the console's namespace. */
export const POST = route(async ({ request, body }) => {
  const draft = readRepositoryDraft(body);
  const place = await mayChangeRepositories(request, 'create');
  const trial: RepositoryTrial = await tryRepository(place, draft);
  if (!trial.checks.every(({ ok }) => ok)) return json(trial, 422);
  const credentials = draft.credentials === 'keep' ? undefined : draft.credentials;
  await createRepositoryObjects(place.api, place.namespace, draft.source, credentials);
  return json(trial, 201);
});
