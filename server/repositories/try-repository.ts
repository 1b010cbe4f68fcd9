import { BravoError, messageOf } from '@/lib/errors/errors';
import type { IndexEntry } from '@/lib/kudo/repository/index-file';
import type { RepositoryCheck, RepositoryTrial } from '@/lib/kudo/repository/repository-info';
import { policyOf } from '@/server/packages/open-repository';
import type { PackageRepository } from '@/server/packages/package-reference';
import { checkSignatures } from '@/server/packages/signing/check-signatures';
import { openSource, type RepositoryPlace } from './console-repositories';
import type { ReadDraft } from './repository-draft';
import { readCredentials, type StoredCredentials } from './repository-objects';

/**
 * Tries a repository: whether it can be listed, has packages, and whether its newest package is signed where that is required. Nothing is saved.
 *
 * @throws the errors of Api.get when stored credentials are to be used
 */
export async function tryRepository(place: RepositoryPlace, draft: ReadDraft): Promise<RepositoryTrial> {
  const { source } = draft;
  const repository = openSource(source, await credentialsOf(place, draft));
  const checks: RepositoryCheck[] = [];
  try {
    const { entries } = await repository.index();
    const [first] = [...entries.values()].map(([best]) => best).filter((best) => best?.removed === false);
    checks.push({ name: 'address', ok: true, message: `${source.url} answers.` });
    const versions = [...entries.values()].flat().length;
    checks.push({
      name: 'packages',
      ok: true,
      message: `${entries.size} ${entries.size === 1 ? 'package' : 'packages'}, ${versions} ${versions === 1 ? 'version' : 'versions'}.`,
    });
    if (first !== undefined && source.signatureKeys !== undefined)
      checks.push(await signatureOf(repository, first, draft));
  } catch (error) {
    if (!(error instanceof BravoError)) throw error;
    checks.push({ name: checks.length === 0 ? 'address' : 'packages', ok: false, message: messageOf(error) });
  }
  return { checks };
}

/** Those of the form, or the stored ones, which go to their own server only. */
export async function credentialsOf(
  { api, namespace }: RepositoryPlace,
  { source, credentials }: ReadDraft,
): Promise<Omit<StoredCredentials, 'version'> | undefined> {
  return credentials === 'keep' ? readCredentials(api, namespace, source.name) : credentials;
}

async function signatureOf(
  repository: PackageRepository,
  entry: IndexEntry,
  { source }: ReadDraft,
): Promise<RepositoryCheck> {
  const { archive, place, evidence } = await repository.fetch(entry);
  const policy = policyOf(source);
  if (policy === undefined) return { name: 'signature', ok: true, message: 'Signatures are not required.' };
  try {
    const key = checkSignatures(archive, place, await evidence(), policy);
    return { name: 'signature', ok: true, message: `${entry.name} is signed by key ${key.slice(0, 12)}.` };
  } catch (error) {
    return { name: 'signature', ok: false, message: messageOf(error) };
  }
}
