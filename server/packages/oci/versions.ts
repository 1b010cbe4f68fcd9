import { TerminalError } from '@/lib/errors/errors';
import type { Lifecycle } from '@/lib/kudo/repository/lifecycle';
import { byBestVersion } from '@/lib/kudo/versions';
import { limits } from '@/lib/limits/limits';
import { MANIFEST_TYPE, parseManifest } from '@/lib/oci/manifest';
import { type PackageVersion, packageVersionOf } from '@/lib/oci/package-manifest';
import { formatOciReference, type OciReference } from '@/lib/oci/reference';
import { releaseTag } from '@/lib/oci/release-record';
import type { OciClient, RepositoryPath } from './oci-client';
import { readRelease } from './release-records';

/** A version of a package in a registry. */
export interface TaggedVersion extends PackageVersion {
  /** With tag and digest. */
  readonly reference: OciReference & { readonly digest: string };
}

/** Tags of signatures and referrers: `sha256-HEX`, `sha256-HEX.sig`. */
const ATTACHMENT_TAG = /^sha256-[0-9a-f]{64}(?:\.[a-z0-9]+)?$/;

/**
 * Every version of a package, best first; of two tags of one manifest the first one. Other bytes of a version, at a tag of somebody's choice, come
 * after those at the tag that the versions make. What is not an operator package is left out.
 */
export async function taggedVersions(registry: OciClient, path: RepositoryPath): Promise<readonly TaggedVersion[]> {
  return versionsAt(registry, path, await registry.tags(path));
}

async function versionsAt(registry: OciClient, path: RepositoryPath, all: readonly string[]): Promise<TaggedVersion[]> {
  const tags = all.filter((tag) => !ATTACHMENT_TAG.test(tag)).sort();
  const found = await eachAtOnce(tags, (tag) => taggedVersion(registry, { ...path, tag }));
  const versions = new Map<string, TaggedVersion>();
  for (const version of found) {
    if (version !== undefined && (!versions.has(version.reference.digest) || isAtOwnTag(version))) {
      versions.set(version.reference.digest, version);
    }
  }
  return [...versions.values()].sort((a, b) => byBestVersion(a, b) || Number(isAtOwnTag(b)) - Number(isAtOwnTag(a)));
}

function isAtOwnTag({ reference: { tag }, appVersion, operatorVersion }: TaggedVersion): boolean {
  return tag === [appVersion, operatorVersion].filter(Boolean).join('-').replaceAll('+', '_');
}

/** A version with what its registry says about upgrades to it. */
export interface ReleasedVersion extends TaggedVersion {
  readonly lifecycle: Lifecycle;
}

/** Every version of a package once, best first, with what is said about upgrades. @throws TerminalError `IndexInvalid` when a record cannot be read */
export async function releasedVersions(registry: OciClient, path: RepositoryPath): Promise<readonly ReleasedVersion[]> {
  const tags = await registry.tags(path);
  const versions = new Map<string, TaggedVersion>();
  for (const version of await versionsAt(registry, path, tags)) {
    const key = `${version.appVersion} ${version.operatorVersion}`;
    if (!versions.has(key)) versions.set(key, version);
  }
  const recorded = new Set(tags);
  return eachAtOnce([...versions.values()], async (version) => {
    const isRecorded = recorded.has(releaseTag(version.reference.digest));
    return { ...version, lifecycle: isRecorded ? await readRelease(registry, version.reference) : {} };
  });
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
