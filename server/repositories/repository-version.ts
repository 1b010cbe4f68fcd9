import { messageOf, TerminalError } from '@/lib/errors/errors';
import { type JsonValue, stringAt } from '@/lib/json/json';
import type { PackageSummary } from '@/lib/kudo/package/catalogue';
import type { IndexEntry } from '@/lib/kudo/repository/index-file';
import type { VersionEvidence } from '@/lib/kudo/repository/repository-info';
import { summaryOf } from '@/server/catalogue/reader';
import { acceptPackage } from '@/server/catalogue/upload';
import { Refusal } from '@/server/http/problem';
import { loadArchive } from '@/server/packages/loaded-package';
import { PROVENANCE_TYPE, SBOM_TYPE } from '@/server/packages/oci/attachments';
import { sha256Hex } from '@/server/packages/oci/digest';
import { policyOf } from '@/server/packages/open-repository';
import type { FetchedArchive } from '@/server/packages/package-reference';
import { checkSignatures } from '@/server/packages/signing/check-signatures';
import { runtime } from '@/server/runtime/runtime';
import type { OpenedRepository } from './console-repositories';

/** Which version of which package. */
export interface VersionWish {
  readonly name: string;
  readonly operatorVersion: string;
  readonly appVersion: string;
}

/** Out of a body or a query. */
export function readVersionWish(read: (field: string) => string | null | undefined): VersionWish {
  const [name = '', operatorVersion = '', appVersion = ''] = ['name', 'operatorVersion', 'appVersion'].map(
    (field) => read(field) ?? '',
  );
  return { name, operatorVersion, appVersion };
}

export const wishOfBody = (body: JsonValue | undefined): VersionWish =>
  readVersionWish((field) => stringAt(body, field));

/** Signature, provenance and SBOM of a version. @throws Refusal 404; the errors of the repository */
export async function readEvidence(opened: OpenedRepository, wish: VersionWish): Promise<VersionEvidence> {
  const entry = await findEntry(opened, wish);
  const fetched = await opened.repository.fetch(entry);
  const { attachments } = await opened.repository.companions(entry);
  const textOf = (type: string): string | undefined =>
    attachments.find(({ artifactType }) => artifactType === type)?.text;
  return {
    signature: await signatureOf(opened, fetched),
    sha256: sha256Hex(fetched.archive),
    provenance: textOf(PROVENANCE_TYPE),
    sbom: textOf(SBOM_TYPE),
  };
}

/**
 * Puts a version into the catalogue, from which it is installed. It must be signed where its repository requires that.
 *
 * @throws Refusal 404 without the version, 422 with every problem of the package; TerminalError `SignatureRefused`
 */
export async function addToCatalogue(opened: OpenedRepository, wish: VersionWish): Promise<PackageSummary> {
  const entry = await findEntry(opened, wish);
  const { archive, place, evidence } = await opened.repository.fetch(entry);
  const policy = policyOf(opened.source);
  if (policy !== undefined) checkSignatures(archive, place, await evidence(), policy);
  const { name, operatorVersion, appVersion = '' } = (await loadArchive(archive, place)).package.operator;
  // Old bytes, signed or not, must not come as a new version, nor as another operator.
  if (name !== wish.name || operatorVersion !== wish.operatorVersion || appVersion !== wish.appVersion) {
    const [is, listed] = [{ name, appVersion, operatorVersion }, wish].map((each) =>
      [each.name, each.appVersion, each.operatorVersion].filter(Boolean).join(' '),
    );
    throw new TerminalError(`${place} is ${is}, but the repository lists it as ${listed}.`, 'PackageInvalid');
  }
  return summaryOf(await acceptPackage(runtime().catalogue, archive));
}

async function findEntry({ repository, source }: OpenedRepository, wish: VersionWish): Promise<IndexEntry> {
  const { entries } = await repository.index();
  const found = entries
    .get(wish.name)
    ?.find(
      (each) => !each.removed && each.operatorVersion === wish.operatorVersion && each.appVersion === wish.appVersion,
    );
  if (found !== undefined) return found;
  const what = [wish.name, wish.appVersion, wish.operatorVersion].filter(Boolean).join(' ');
  throw new Refusal(404, 'NotFound', `The repository ${source.name} does not have ${what.slice(0, 200)}.`);
}

async function signatureOf(
  { source }: OpenedRepository,
  fetched: FetchedArchive,
): Promise<VersionEvidence['signature']> {
  const evidence = await fetched.evidence();
  const count = evidence.detached.length + (evidence.manifest?.signatures.length ?? 0);
  const policy = policyOf(source);
  if (policy === undefined) {
    return count === 0
      ? { state: 'none', message: 'It is not signed.' }
      : {
          state: 'present',
          message: `It has ${count} ${count === 1 ? 'signature' : 'signatures'}. The repository has no keys to check with.`,
        };
  }
  try {
    const key = checkSignatures(fetched.archive, fetched.place, evidence, policy);
    return { state: 'verified', message: `Signed by key ${key.slice(0, 12)}.` };
  } catch (error) {
    return { state: 'refused', message: messageOf(error) };
  }
}
