import { TerminalError } from '@/lib/errors/errors';
import { jsonEqual } from '@/lib/json/json';
import { type Lifecycle, lifecycleObject } from '@/lib/kudo/repository/lifecycle';
import { limits } from '@/lib/limits/limits';
import { type Descriptor, EMPTY_TYPE, formatManifest, MANIFEST_TYPE, parseManifest } from '@/lib/oci/manifest';
import { packageVersionOf } from '@/lib/oci/package-manifest';
import { formatOciReference, type OciReference } from '@/lib/oci/reference';
import { formatReleaseRecord, parseReleaseRecord, RELEASE_TYPE, releaseTag } from '@/lib/oci/release-record';
import { digestOf } from './digest';
import type { OciClient } from './oci-client';

type Pinned = OciReference & { readonly digest: string };

const EMPTY = Buffer.from('{}');

/** What a registry says about upgrades to a version; nothing when it has no record of it. @throws TerminalError `IndexInvalid`, `ManifestInvalid` */
export async function readRelease(registry: OciClient, reference: Pinned): Promise<Lifecycle> {
  const at = recordOf(reference);
  const stored = await registry.manifest(at);
  if (stored === undefined) return {};
  const place = formatOciReference(at);
  const { artifactType, layers } = parseManifest(new TextDecoder().decode(stored.bytes), place);
  const [layer] = layers;
  if (artifactType !== RELEASE_TYPE || layer === undefined) {
    throw new TerminalError(`${place} is not a record of a release: its type is not ${RELEASE_TYPE}.`, 'IndexInvalid');
  }
  const bytes = await registry.blob(at, layer, limits.oci.configBytes);
  return parseReleaseRecord(new TextDecoder().decode(bytes), formatOciReference(reference));
}

/** Says something else about upgrades to a version. Its manifest, and so its digest and signatures, stay. @returns false when it was said already */
export async function writeRelease(registry: OciClient, reference: Pinned, lifecycle: Lifecycle): Promise<boolean> {
  const before = await readRelease(registry, reference);
  if (jsonEqual(lifecycleObject(before), lifecycleObject(lifecycle))) return false;
  const at = recordOf(reference);
  const content = Buffer.from(formatReleaseRecord(lifecycle));
  await registry.pushBlob(at, EMPTY);
  await registry.pushBlob(at, content);
  const describe = (bytes: Uint8Array, mediaType: string): Descriptor => ({
    mediaType,
    digest: digestOf(bytes),
    size: bytes.length,
  });
  const manifest = formatManifest({
    artifactType: RELEASE_TYPE,
    config: describe(EMPTY, EMPTY_TYPE),
    layers: [describe(content, RELEASE_TYPE)],
    annotations: {},
  });
  await registry.pushManifest(at, Buffer.from(manifest), MANIFEST_TYPE);
  return true;
}

/**
 * What is said about other bytes of the same version, which stays true when these are replaced: a candidate that is pushed again is a candidate.
 * Nothing when the tag is free, or of another version.
 */
export async function releaseBefore(
  registry: OciClient,
  tagged: OciReference,
  version: { readonly operatorVersion: string; readonly appVersion: string },
): Promise<Lifecycle> {
  const stored = await registry.manifest(tagged);
  if (stored === undefined || stored.mediaType !== MANIFEST_TYPE) return {};
  const known = packageVersionOf(parseManifest(new TextDecoder().decode(stored.bytes), formatOciReference(tagged)));
  const isSame = known?.operatorVersion === version.operatorVersion && known.appVersion === version.appVersion;
  return isSame ? readRelease(registry, { ...tagged, digest: stored.digest }) : {};
}

function recordOf({ registry, repository, digest }: Pinned): OciReference {
  return { registry, repository, tag: releaseTag(digest) };
}
