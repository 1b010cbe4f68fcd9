import { BravoError } from '@/lib/errors/errors';
import type { IndexEntry } from '@/lib/kudo/repository/index-file';
import type { Companions } from '../companions';
import { sha256Hex } from '../oci/digest';
import type { PackageRepository } from '../package-reference';
import { checkSignatures, type SignaturePolicy } from '../signing/check-signatures';

/** Where packages are copied to. */
export interface MirrorTarget {
  /** True when the target has exactly this archive. */
  has(entry: IndexEntry, companions: Companions): Promise<boolean>;
  /** Stores an archive. */
  store(entry: IndexEntry, archive: Uint8Array, companions: Companions): Promise<void>;
  /** Stores what is beside an archive that the target has. What it has already is not written again. */
  storeCompanions(entry: IndexEntry, companions: Companions): Promise<void>;
  /** After the last package; `entries` are all that the target has of the source now. */
  finish(entries: readonly IndexEntry[]): Promise<void>;
}

export interface MirrorOptions {
  readonly source: PackageRepository;
  readonly target: MirrorTarget;
  /** What the source's packages must be signed with. */
  readonly policy: SignaturePolicy | undefined;
  /** All when empty. */
  readonly operators: readonly string[];
  /** Versions of the operator, of the application, or both with a dash between them. All when empty. */
  readonly versions: readonly string[];
  onPackage(entry: IndexEntry, outcome: MirrorOutcome): void;
}

export type MirrorOutcome =
  | { readonly is: 'copied' }
  /** The target had it. */
  | { readonly is: 'present' }
  | { readonly is: 'failed'; readonly why: string };

/**
 * Copies packages with their digests, signatures, provenance and SBOM. What the target has is not copied again, so an interrupted copy
 * continues. A package that fails does not stop the others. Withdrawn versions are left out.
 *
 * @throws BravoError when the source cannot be listed, or the target cannot be finished
 */
export async function mirrorPackages(options: MirrorOptions): Promise<readonly MirrorOutcome[]> {
  const { entries } = await options.source.index();
  const outcomes: MirrorOutcome[] = [];
  const stored: IndexEntry[] = [];
  for (const entry of [...entries.values()].flat()) {
    if (entry.removed || !isWanted(entry, options)) continue;
    const outcome = await copyPackage(entry, options);
    if (outcome.is !== 'failed') stored.push(entry);
    options.onPackage(entry, outcome);
    outcomes.push(outcome);
  }
  await options.target.finish(stored);
  return outcomes;
}

function isWanted({ name, appVersion, operatorVersion }: IndexEntry, wanted: MirrorOptions): boolean {
  const { operators, versions } = wanted;
  const names = [operatorVersion, appVersion, `${appVersion}-${operatorVersion}`];
  return (
    (operators.length === 0 || operators.includes(name)) &&
    (versions.length === 0 || versions.some((version) => names.includes(version)))
  );
}

async function copyPackage(entry: IndexEntry, { source, target, policy }: MirrorOptions): Promise<MirrorOutcome> {
  try {
    const companions = await source.companions(entry);
    if (entry.digest !== '' && (await target.has(entry, companions))) {
      await target.storeCompanions(entry, companions);
      return { is: 'present' };
    }
    const { archive, place, evidence } = await source.fetch(entry);
    if (policy !== undefined) checkSignatures(archive, place, await evidence(), policy);
    const known = { ...entry, digest: sha256Hex(archive) };
    const isPresent = entry.digest === '' && (await target.has(known, companions));
    if (!isPresent) await target.store(known, archive, companions);
    await target.storeCompanions(known, companions);
    return { is: isPresent ? 'present' : 'copied' };
  } catch (error) {
    if (!(error instanceof BravoError)) throw error;
    return { is: 'failed', why: error.message };
  }
}
