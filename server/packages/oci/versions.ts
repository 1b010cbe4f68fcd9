import { TerminalError } from '@/lib/errors/errors';
import { byBestVersion } from '@/lib/kudo/versions';
import { limits } from '@/lib/limits/limits';
import { MANIFEST_TYPE, parseManifest } from '@/lib/oci/manifest';
import { type PackageVersion, packageVersionOf } from '@/lib/oci/package-manifest';
import { formatOciReference, type OciReference } from '@/lib/oci/reference';
import type { OciClient, RepositoryPath } from './oci-client';

/** A version of a package in a registry. */
export interface TaggedVersion extends PackageVersion {
  /** With tag and digest. */
  readonly reference: OciReference & { readonly digest: string };
}

/** Tags of signatures and referrers: `sha256-HEX`, `sha256-HEX.sig`. */
const ATTACHMENT_TAG = /^sha256-[0-9a-f]{64}(?:\.[a-z0-9]+)?$/;

/** Every version of a package, best first; of two tags of one manifest the first one. What is not an operator package is left out. */
export async function taggedVersions(registry: OciClient, path: RepositoryPath): Promise<readonly TaggedVersion[]> {
  const tags = (await registry.tags(path)).filter((tag) => !ATTACHMENT_TAG.test(tag)).sort();
  const found = await eachAtOnce(tags, (tag) => taggedVersion(registry, { ...path, tag }));
  const versions = new Map<string, TaggedVersion>();
  for (const version of found) {
    if (version !== undefined && !versions.has(version.reference.digest)) {
      versions.set(version.reference.digest, version);
    }
  }
  return [...versions.values()].sort(byBestVersion);
}

/** The version at a tag or digest; undefined when there is none, or it is not an operator package. */
export async function taggedVersion(registry: OciClient, reference: OciReference): Promise<TaggedVersion | undefined> {
  const stored = await registry.manifest(reference);
  if (stored === undefined || (stored.mediaType !== MANIFEST_TYPE && stored.mediaType !== '')) return undefined;
  const text = new TextDecoder().decode(stored.bytes);
  const version = packageVersionOf(parseManifest(text, formatOciReference(reference)));
  return version === undefined ? undefined : { ...version, reference: { ...reference, digest: stored.digest } };
}

/**
 * The version that a reference means: its digest, its tag, or without both the best one that has the versions asked for.
 *
 * @throws TerminalError `PackageNotFound` when there is none
 */
export async function findVersion(
  registry: OciClient,
  reference: OciReference,
  { appVersion = '', operatorVersion = '' }: { appVersion?: string | undefined; operatorVersion?: string | undefined },
): Promise<OciReference> {
  if (reference.tag !== undefined || reference.digest !== undefined) return reference;
  const fits = (wanted: string, is: string): boolean => wanted === '' || wanted === is;
  const versions = await taggedVersions(registry, reference);
  const found = versions.find(
    (each) => fits(appVersion, each.appVersion) && fits(operatorVersion, each.operatorVersion),
  );
  if (found !== undefined) return found.reference;
  const wanted = `${appVersion} ${operatorVersion}`.trim();
  throw new TerminalError(
    `${formatOciReference(reference)} has no operator package${wanted === '' ? '' : ` of version ${wanted}`}.`,
    'PackageNotFound',
  );
}

/** Calls a function for each value, a few at once. The results are in the order of the values. */
export async function eachAtOnce<T, R>(values: readonly T[], act: (value: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < values.length; at += limits.oci.atOnce) {
    results.push(...(await Promise.all(values.slice(at, at + limits.oci.atOnce).map(act))));
  }
  return results;
}
