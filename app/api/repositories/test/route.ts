import { json, route } from '@/server/http/route';
import { readRepositoryDraft } from '@/server/repositories/repository-draft';
import { mayChangeRepositories } from '@/server/repositories/rights';
import { tryRepository } from '@/server/repositories/try-repository';

/** Tries a repository that a person may add, and saves nothing. */
export const POST = route(async ({ request, body }) => {
  const draft = readRepositoryDraft(body);
  // Who may not add repositories must not make the server connect to addresses of their choice.
  return json(await tryRepository(await mayChangeRepositories(request, 'create'), draft));
});
