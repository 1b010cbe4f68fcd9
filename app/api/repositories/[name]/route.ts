import { Refusal } from '@/server/http/problem';
import { json, route } from '@/server/http/route';
import { storedRepository } from '@/server/repositories/console-repositories';
import { readRepositoryDraft } from '@/server/repositories/repository-draft';
import { deleteRepositoryObjects, updateRepositoryObjects } from '@/server/repositories/repository-objects';
import { mayChangeRepositories } from '@/server/repositories/rights';
import { tryRepository } from '@/server/repositories/try-repository';

/** Tests a changed repository and saves it. Its name stays. */
export const PUT = route<{ name: string }>(async ({ request, body, params: { name } }) => {
  const draft = readRepositoryDraft(body);
  if (draft.source.name !== name) throw new Refusal(422, 'Invalid', 'The name of a repository cannot be changed.');
  const place = await mayChangeRepositories(request, 'patch');
  await storedRepository(place, name);
  const trial = await tryRepository(place, draft);
  if (!trial.checks.every(({ ok }) => ok)) return json(trial, 422);
  await updateRepositoryObjects(place.api, place.namespace, draft.source, draft.credentials);
  return json(trial);
});

/** Removes a repository from the console. Packages that came from it stay. */
export const DELETE = route<{ name: string }>(async ({ request, params: { name } }) => {
  const place = await mayChangeRepositories(request, 'delete');
  await storedRepository(place, name);
  await deleteRepositoryObjects(place.api, place.namespace, name);
  return json({ removed: name });
});
