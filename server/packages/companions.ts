import { PROVENANCE_SUFFIX, SBOM_SUFFIX } from './attest';
import { type Attachment, PROVENANCE_TYPE, SBOM_TYPE } from './oci/attachments';
import { BUNDLE_SUFFIX, formatBundle, type PackageBundle, parseBundle, SIGNATURE_SUFFIX } from './signing/bundle';
import type { SignatureEvidence } from './signing/check-signatures';

/** What a repository has beside the archive of a package. */
export interface Companions {
  /** Signatures of the archive in base64. */
  readonly detached: readonly string[];
  /** What it has, or had, in a registry. */
  readonly bundle: PackageBundle | undefined;
  /** Provenance and SBOM. */
  readonly attachments: readonly Attachment[];
}

const ATTACHED: readonly (readonly [suffix: string, artifactType: string])[] = [
  [PROVENANCE_SUFFIX, PROVENANCE_TYPE],
  [SBOM_SUFFIX, SBOM_TYPE],
];

const SUFFIXES: readonly string[] = [SIGNATURE_SUFFIX, BUNDLE_SUFFIX, ...ATTACHED.map(([suffix]) => suffix)];

/** True for the name of an archive, or of a file that belongs to one: no path, and no hidden file. */
export function isRepositoryFile(name: string): boolean {
  const archive = name.replace(/\.tgz(\.[a-z.]+)?$/, '');
  const rest = name.slice(archive.length + '.tgz'.length);
  return name !== archive && /^[A-Za-z0-9][A-Za-z0-9._+-]{0,250}$/.test(archive) && ['', ...SUFFIXES].includes(rest);
}

/** Reads the text of the file with that suffix; undefined when it does not exist. */
export type ReadBeside = (suffix: string) => Promise<string | undefined>;

/** What the files beside an archive say of its signatures. `place` is the archive's. */
export async function evidenceOfFiles(read: ReadBeside, place: string): Promise<SignatureEvidence> {
  const signatures = await read(SIGNATURE_SUFFIX);
  const bundle = await read(BUNDLE_SUFFIX);
  return {
    detached: (signatures ?? '').split(/\s+/).filter((each) => each !== ''),
    ...(bundle === undefined ? {} : { manifest: parseBundle(bundle, `${place}${BUNDLE_SUFFIX}`) }),
  };
}

/** Everything that the files beside an archive say. */
export async function companionsOfFiles(read: ReadBeside, place: string): Promise<Companions> {
  const { detached } = await evidenceOfFiles(read, place);
  const bundle = await read(BUNDLE_SUFFIX);
  const attachments: Attachment[] = [];
  for (const [suffix, artifactType] of ATTACHED) {
    const text = await read(suffix);
    if (text !== undefined) attachments.push({ artifactType, text });
  }
  return {
    detached,
    bundle: bundle === undefined ? undefined : parseBundle(bundle, `${place}${BUNDLE_SUFFIX}`),
    attachments,
  };
}

/** The files beside an archive, by suffix. */
export function filesOfCompanions({ detached, bundle, attachments }: Companions): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  if (detached.length > 0) files.set(SIGNATURE_SUFFIX, `${detached.join('\n')}\n`);
  if (bundle !== undefined) files.set(BUNDLE_SUFFIX, formatBundle(bundle));
  for (const [suffix, artifactType] of ATTACHED) {
    const found = attachments.find((each) => each.artifactType === artifactType);
    if (found !== undefined) files.set(suffix, found.text);
  }
  return files;
}
