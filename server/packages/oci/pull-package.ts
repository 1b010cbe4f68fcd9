import { TerminalError } from '@/lib/errors/errors';
import { payloadLayers, signatureTag } from '@/lib/kudo/signatures/simple-signing';
import { limits } from '@/lib/limits/limits';
import { parseManifest } from '@/lib/oci/manifest';
import { packageLayer } from '@/lib/oci/package-manifest';
import { formatOciReference, type OciReference } from '@/lib/oci/reference';
import type { Companions } from '../companions';
import type { SignatureEvidence } from '../signing/check-signatures';
import { readAttachments, SIGNATURE_TYPE } from './attachments';
import type { OciClient } from './oci-client';

/** A package as it came from a registry: manifest and archive have the digests that name them. */
export interface PulledPackage {
  /** With the digest of the manifest. */
  readonly reference: OciReference & { readonly digest: string };
  readonly manifest: string;
  readonly archive: Uint8Array;
}

/**
 * Gets the archive of a package.
 *
 * @param reference with a tag or a digest
 * @throws TerminalError `PackageNotFound`, `PackageInvalid` when it is something else, `DigestMismatch`
 */
export async function pullPackage(registry: OciClient, reference: OciReference): Promise<PulledPackage> {
  const place = formatOciReference(reference);
  const stored = await registry.manifest(reference);
  if (stored === undefined) throw new TerminalError(`The registry does not have ${place}.`, 'PackageNotFound');
  const manifest = new TextDecoder().decode(stored.bytes);
  const layer = packageLayer(parseManifest(manifest, place), place);
  const archive = await registry.blob(reference, layer, limits.packageArchiveBytes);
  return { reference: { ...reference, digest: stored.digest }, manifest, archive };
}

/** The signatures of a package: cosign's of its manifest, and attached ones of its archive. */
export async function pullEvidence(
  registry: OciClient,
  { reference, manifest }: Pick<PulledPackage, 'reference' | 'manifest'>,
): Promise<SignatureEvidence> {
  const attached = await readAttachments(registry, reference, SIGNATURE_TYPE);
  return {
    detached: attached.map(({ text }) => text.trim()),
    manifest: { text: manifest, signatures: await manifestSignatures(registry, reference) },
  };
}

/** Everything that a registry has beside the archive of a package. @throws TerminalError when it does not have the package */
export async function pullCompanions(registry: OciClient, reference: OciReference): Promise<Companions> {
  const place = formatOciReference(reference);
  const stored = await registry.manifest(reference);
  if (stored === undefined) throw new TerminalError(`The registry does not have ${place}.`, 'PackageNotFound');
  const text = new TextDecoder().decode(stored.bytes);
  const config = await registry.blob(reference, parseManifest(text, place).config, limits.oci.configBytes);
  const pinned = { ...reference, digest: stored.digest };
  const attachments = await readAttachments(registry, pinned);
  return {
    detached: attachments.filter(({ artifactType }) => artifactType === SIGNATURE_TYPE).map((each) => each.text.trim()),
    bundle: {
      text,
      config: new TextDecoder().decode(config),
      signatures: await manifestSignatures(registry, pinned),
    },
    attachments: attachments.filter(({ artifactType }) => artifactType !== SIGNATURE_TYPE),
  };
}

/** cosign's signatures of a manifest, at the tag that is made of its digest. */
export async function manifestSignatures(
  registry: OciClient,
  reference: OciReference & { readonly digest: string },
): Promise<readonly { readonly payload: string; readonly signature: string }[]> {
  const { registry: host, repository, digest } = reference;
  const at = { registry: host, repository, tag: signatureTag(digest) };
  const stored = await registry.manifest(at);
  if (stored === undefined) return [];
  const layers = payloadLayers(parseManifest(new TextDecoder().decode(stored.bytes), formatOciReference(at)));
  const signatures: { payload: string; signature: string }[] = [];
  for (const { layer, signature } of layers.slice(0, limits.attachments.signatures)) {
    const payload = await registry.blob(at, layer, limits.attachments.payloadBytes);
    signatures.push({ payload: new TextDecoder().decode(payload), signature });
  }
  return signatures;
}
