import { TerminalError } from '@/lib/errors/errors';
import type { IndexEntry, RepositoryIndex } from '@/lib/kudo/repository/index-file';
import { signatureRefused } from '@/lib/kudo/signatures/simple-signing';
import type { Versioned } from '@/lib/kudo/versions';
import { parseManifest } from '@/lib/oci/manifest';
import { packageVersionOf } from '@/lib/oci/package-manifest';
import { formatOciReference, parseOciReference } from '@/lib/oci/reference';
import type { Companions } from '../companions';
import { type LoadedPackage, loadArchive } from '../loaded-package';
import type { FetchedArchive, PackageReference, PackageRepository } from '../package-reference';
import { checkSignatures, type SignaturePolicy } from '../signing/check-signatures';
import type { OciClient, RepositoryPath } from './oci-client';
import { type PulledPackage, pullCompanions, pullEvidence, pullPackage } from './pull-package';
import { eachAtOnce, findVersion, type ReleasedVersion, releasedVersions } from './versions';

export interface OciRepositoryOptions {
  readonly name: string;
  /** `oci://registry/path`: each package is a repository of the registry below it. */
  readonly url: string;
  readonly registry: OciClient;
  readonly policy?: SignaturePolicy | undefined;
  /** The names of its packages; needed where the registry does not list its repositories. */
  readonly operators?: readonly string[] | undefined;
}

/** A repository of packages in an OCI registry. */
export class OciRepository implements PackageRepository {
  private known: Promise<RepositoryIndex> | undefined;
  private readonly knownVersions = new Map<string, Promise<readonly IndexEntry[]>>();

  constructor(private readonly options: OciRepositoryOptions) {}

  index(): Promise<RepositoryIndex> {
    this.known ??= this.readIndex();
    return this.known;
  }

  async releases(operator: string): Promise<readonly IndexEntry[]> {
    return this.entriesOf(operator);
  }

  async versions(name: string): Promise<readonly Versioned[]> {
    return this.entriesOf(name);
  }

  async find({ name, ...versions }: PackageReference): Promise<LoadedPackage> {
    const { appVersion = '', operatorVersion = '' } = versions;
    const fits = (wanted: string, is: string): boolean => wanted === '' || wanted === is;
    // The bytes that were listed, by their digest: the tag may have been written again since.
    const found = (await this.entriesOf(name)).find(
      (each) => fits(appVersion, each.appVersion) && fits(operatorVersion, each.operatorVersion),
    );
    if (found === undefined) {
      const wanted = operatorVersion === '' ? name : `${name}-${operatorVersion}`;
      throw new TerminalError(`no operator found for: ${wanted} in ${this.options.url}`, 'PackageNotFound');
    }
    return loadOciPackage(this.options.registry, found.urls[0] ?? '', this.options.policy);
  }

  async fetch({ urls: [url = ''] }: IndexEntry): Promise<FetchedArchive> {
    return fetchOciArchive(this.options.registry, url);
  }

  companions({ urls: [url = ''] }: IndexEntry): Promise<Companions> {
    return pullCompanions(this.options.registry, parseOciReference(url));
  }

  private pathOf(name: string): RepositoryPath {
    return parseOciReference(`${this.options.url.replace(/\/$/, '')}/${name}`);
  }

  private async readIndex(): Promise<RepositoryIndex> {
    const names = [...(this.options.operators ?? (await this.listedNames()))].sort();
    const entries = new Map<string, readonly IndexEntry[]>();
    for (const [at, versions] of (await eachAtOnce(names, (name) => this.entriesOf(name))).entries()) {
      if (versions.length > 0) entries.set(names[at] ?? '', versions);
    }
    return { entries };
  }

  /** The versions of a package. They are read once. */
  private entriesOf(name: string): Promise<readonly IndexEntry[]> {
    const known = this.knownVersions.get(name) ?? this.readEntries(name);
    this.knownVersions.set(name, known);
    return known;
  }

  private async readEntries(name: string): Promise<readonly IndexEntry[]> {
    return (await releasedVersions(this.options.registry, this.pathOf(name))).map(entryOf);
  }

  /** The repositories directly below the path. */
  private async listedNames(): Promise<string[]> {
    const { registry, repository } = registryPath(this.options.url);
    const prefix = repository === '' ? '' : `${repository}/`;
    const all = await this.options.registry.repositories(registry);
    return all
      .filter((each) => each.startsWith(prefix))
      .map((each) => each.slice(prefix.length))
      .filter((each) => each !== '' && !each.includes('/'));
  }
}

/** Registry and path of `oci://registry` or `oci://registry/path`. @throws TerminalError `InvalidReference` */
export function registryPath(url: string): RepositoryPath {
  const trimmed = url.replace(/\/$/, '');
  if (/^oci:\/\/[^/]+$/.test(trimmed)) return { registry: parseOciReference(`${trimmed}/x`).registry, repository: '' };
  return parseOciReference(trimmed);
}

/**
 * Loads the package at `oci://…`, checked against a policy.
 *
 * @throws TerminalError `PackageNotFound`, `DigestMismatch`, `SignatureRefused`; PackageError when it is not a package
 */
export async function loadOciPackage(
  registry: OciClient,
  url: string,
  policy: SignaturePolicy | undefined,
  versions: Omit<PackageReference, 'name'> = {},
): Promise<LoadedPackage> {
  const reference = await findVersion(registry, parseOciReference(url), versions);
  const pulled = await pullPackage(registry, reference);
  const place = formatOciReference(pulled.reference);
  if (policy !== undefined) checkSignatures(pulled.archive, place, await pullEvidence(registry, pulled), policy);
  const loaded = await loadArchive(pulled.archive, place);
  if (policy !== undefined) checkIsListed(loaded, pulled, place);
  return loaded;
}

/**
 * A signature of an archive says nothing of the manifest that names it, so an old version, or another operator by the same key, must not be
 * given as what the manifest and the path say.
 */
function checkIsListed(loaded: LoadedPackage, { manifest, reference }: PulledPackage, place: string): void {
  const { name, operatorVersion, appVersion = '' } = loaded.package.operator;
  const said = packageVersionOf(parseManifest(manifest, place));
  const isSame = said?.name === name && said.operatorVersion === operatorVersion && said.appVersion === appVersion;
  if (isSame && `/${reference.repository}`.endsWith(`/${name}`)) return;
  throw signatureRefused(
    place,
    `it is ${[name, appVersion, operatorVersion].filter(Boolean).join(' ')}, but the registry says something else.`,
  );
}

/** The archive at `oci://…`, and what proves where it comes from. */
export async function fetchOciArchive(registry: OciClient, url: string): Promise<FetchedArchive> {
  const pulled = await pullPackage(registry, await findVersion(registry, parseOciReference(url), {}));
  return {
    archive: pulled.archive,
    place: formatOciReference(pulled.reference),
    evidence: () => pullEvidence(registry, pulled),
  };
}

function entryOf(version: ReleasedVersion): IndexEntry {
  const { name, operatorVersion, appVersion, description, layer, reference, lifecycle } = version;
  return {
    ...lifecycle,
    name,
    operatorVersion,
    appVersion,
    ...(description === '' ? {} : { description }),
    maintainers: [],
    urls: [formatOciReference(reference)],
    removed: false,
    digest: layer.digest.slice('sha256:'.length),
  };
}
