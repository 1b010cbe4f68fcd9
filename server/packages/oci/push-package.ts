import type { KeyObject } from 'node:crypto';
import type { Lifecycle } from '@/lib/kudo/repository/lifecycle';
import {
  IMAGE_CONFIG_TYPE,
  payloadLayer,
  payloadLayers,
  signatureConfig,
  signatureTag,
  signingPayload,
} from '@/lib/kudo/signatures/simple-signing';
import { type Descriptor, formatManifest, MANIFEST_TYPE, parseManifest } from '@/lib/oci/manifest';
import { PACKAGE_CONFIG_TYPE, PACKAGE_LAYER_TYPE, packageConfig, packageManifest } from '@/lib/oci/package-manifest';
import { formatOciReference, type OciReference, versionTag } from '@/lib/oci/reference';
import type { LoadedPackage } from '../loaded-package';
import { signBytes } from '../signing/check-signatures';
import { digestOf } from './digest';
import type { OciClient } from './oci-client';
import { releaseBefore, writeRelease } from './release-records';

/** A package, and what is stored of it. */
export interface PushedPackage {
  readonly loaded: LoadedPackage;
  readonly archive: Uint8Array;
  readonly lifecycle?: Lifecycle | undefined;
}

/** What a push has done. */
export interface PushReport {
  readonly reference: OciReference & { readonly digest: string };
  /** False: the registry had the archive already. */
  readonly isUploaded: boolean;
}

/**
 * Stores a package. Without a tag in the reference, the tag is made of its versions. What is said about upgrades is stored before the tag,
 * so that nobody sees a version of the channel `candidate` as one of `stable`.
 *
 * @param lifecycle what is said about upgrades, beside what was said about the version at the tag before
 * @throws TerminalError `RegistryUnauthorized`, `RegistryRefused`
 */
export async function pushPackage(
  registry: OciClient,
  target: OciReference,
  { loaded: { package: pkg }, archive, lifecycle }: PushedPackage,
): Promise<PushReport> {
  const config = Buffer.from(JSON.stringify(packageConfig(pkg)));
  const manifest = packageManifest(pkg, describe(PACKAGE_CONFIG_TYPE, config), describe(PACKAGE_LAYER_TYPE, archive));
  const bytes = Buffer.from(formatManifest(manifest));
  const { operatorVersion, appVersion = '', upgradableFrom } = pkg.operator;
  const tag = target.tag ?? versionTag(operatorVersion, appVersion);
  const { registry: host, repository } = target;
  const isUploaded = await registry.pushBlob(target, archive);
  await registry.pushBlob(target, config);
  const tagged = { registry: host, repository, tag };
  const reference = { ...tagged, digest: digestOf(bytes) };
  const own = upgradableFrom === undefined ? {} : { upgradableFrom };
  const said = { ...own, ...(await releaseBefore(registry, tagged, { operatorVersion, appVersion })), ...lifecycle };
  if (Object.keys(said).length > 0) {
    await registry.pushManifest({ registry: host, repository, digest: reference.digest }, bytes, MANIFEST_TYPE);
    await writeRelease(registry, reference, said);
  }
  await registry.pushManifest(tagged, bytes, MANIFEST_TYPE);
  return { reference, isUploaded };
}

/** Adds a signature of a manifest, as `cosign sign --key` does: one more layer of the image at its signature tag. */
export async function signManifest(
  registry: OciClient,
  reference: OciReference & { readonly digest: string },
  key: KeyObject,
): Promise<void> {
  const { registry: host, repository, digest } = reference;
  const payload = signingPayload(`${host}/${repository}`, digest);
  await addManifestSignatures(registry, reference, [{ payload, signature: signBytes(key, payload) }]);
}

/** Stores signatures of a manifest beside those that it has. */
export async function addManifestSignatures(
  registry: OciClient,
  reference: OciReference & { readonly digest: string },
  added: readonly { readonly payload: string; readonly signature: string }[],
): Promise<void> {
  const { registry: host, repository, digest } = reference;
  const at = { registry: host, repository, tag: signatureTag(digest) };
  const stored = await registry.manifest(at);
  const text = stored === undefined ? undefined : new TextDecoder().decode(stored.bytes);
  const known = text === undefined ? [] : payloadLayers(parseManifest(text, formatOciReference(at)));
  const layers = known.map(({ layer }) => layer);
  for (const { payload, signature } of added) {
    if (known.some((each) => each.signature === signature)) continue;
    const bytes = Buffer.from(payload);
    await registry.pushBlob(at, bytes);
    layers.push(payloadLayer({ digest: digestOf(bytes), size: bytes.length }, signature));
  }
  if (layers.length === known.length) return;
  const config = Buffer.from(signatureConfig(layers.map((layer) => layer.digest)));
  await registry.pushBlob(at, config);
  const described = describe(IMAGE_CONFIG_TYPE, config);
  const manifest = Buffer.from(
    formatManifest({ artifactType: IMAGE_CONFIG_TYPE, config: described, layers, annotations: {} }),
  );
  await registry.pushManifest(at, manifest, MANIFEST_TYPE);
}

function describe(mediaType: string, bytes: Uint8Array): Descriptor {
  return { mediaType, digest: digestOf(bytes), size: bytes.length };
}
