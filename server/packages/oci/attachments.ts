import { limits } from '@/lib/limits/limits';
import { type Descriptor, EMPTY_TYPE, formatManifest, MANIFEST_TYPE, parseManifest } from '@/lib/oci/manifest';
import { formatOciReference, type OciReference } from '@/lib/oci/reference';
import { digestOf } from './digest';
import type { OciClient } from './oci-client';

/** Artifact types of what is attached to a package. */
export const PROVENANCE_TYPE = 'application/vnd.in-toto+json';
export const SBOM_TYPE = 'application/spdx+json';
/** The signature of the archive in base64, as in the file `.sig` beside a `.tgz`. */
export const SIGNATURE_TYPE = 'application/vnd.kudo.package.signature.v1';

export interface Attachment {
  readonly artifactType: string;
  readonly text: string;
}

type Pinned = OciReference & { readonly digest: string };

const EMPTY = Buffer.from('{}');

/** Attaches a text to a package: an artifact whose subject is the package's manifest (OCI image specification 1.1, "subject"). */
export async function pushAttachment(
  registry: OciClient,
  reference: Pinned,
  { artifactType, text }: Attachment,
): Promise<void> {
  const path = { registry: reference.registry, repository: reference.repository };
  const subject = await registry.manifest({ ...path, digest: reference.digest });
  if (subject === undefined) return;
  const content = Buffer.from(text);
  await registry.pushBlob(path, EMPTY);
  await registry.pushBlob(path, content);
  const describe = (bytes: Uint8Array, mediaType: string): Descriptor => ({
    mediaType,
    digest: digestOf(bytes),
    size: bytes.length,
  });
  const manifest = formatManifest({
    artifactType,
    config: describe(EMPTY, EMPTY_TYPE),
    layers: [describe(content, artifactType)],
    subject: describe(subject.bytes, MANIFEST_TYPE),
    annotations: {},
  });
  const bytes = Buffer.from(manifest);
  await registry.pushReferrer(path, bytes, { ...describe(bytes, MANIFEST_TYPE), artifactType }, reference.digest);
}

/** What of a type is attached to a package, or everything without a type. What does not refer to the package is left out. */
export async function readAttachments(
  registry: OciClient,
  reference: Pinned,
  artifactType?: string,
): Promise<readonly Attachment[]> {
  const path = { registry: reference.registry, repository: reference.repository };
  const listed = await registry.referrers(path, reference.digest);
  const wanted = listed.filter((each) => artifactType === undefined || each.artifactType === artifactType);
  const found: Attachment[] = [];
  for (const { digest } of wanted.slice(0, limits.attachments.perPackage)) {
    const at = { ...path, digest };
    const stored = await registry.manifest(at);
    if (stored === undefined) continue;
    const manifest = parseManifest(new TextDecoder().decode(stored.bytes), formatOciReference(at));
    const [layer] = manifest.layers;
    if (manifest.subject?.digest !== reference.digest || layer === undefined) continue;
    const text = new TextDecoder().decode(await registry.blob(path, layer, limits.attachments.bytes));
    found.push({ artifactType: manifest.artifactType, text });
  }
  return found;
}
