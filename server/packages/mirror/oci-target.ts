import { TerminalError } from '@/lib/errors/errors';
import type { IndexEntry } from '@/lib/kudo/repository/index-file';
import { type Lifecycle, lifecycleOf } from '@/lib/kudo/repository/lifecycle';
import { MANIFEST_TYPE, parseManifest } from '@/lib/oci/manifest';
import { packageLayer } from '@/lib/oci/package-manifest';
import {
  formatOciReference,
  isOciReference,
  type OciReference,
  parseOciReference,
  versionTag,
} from '@/lib/oci/reference';
import { loadArchive } from '../loaded-package';
import { pushAttachment, readAttachments, SIGNATURE_TYPE } from '../oci/attachments';
import { digestOf } from '../oci/digest';
import type { OciClient } from '../oci/oci-client';
import { addManifestSignatures, pushPackage } from '../oci/push-package';
import { writeRelease } from '../oci/release-records';
import { taggedVersion } from '../oci/versions';
import type { PackageBundle } from '../signing/bundle';
import type { MirrorTarget } from './mirror';

/** A path of a registry: what came from a registry has the same manifest, so its signatures are still right. */
export function ociTarget(registry: OciClient, url: string): MirrorTarget {
  const referenceOf = ({ name, operatorVersion, appVersion, urls: [source = ''] }: IndexEntry): OciReference => {
    const tag = isOciReference(source) ? parseOciReference(source).tag : undefined;
    return {
      ...parseOciReference(`${url.replace(/\/$/, '')}/${name}`),
      tag: tag ?? versionTag(operatorVersion, appVersion),
    };
  };
  return {
    has: async (entry, { bundle }) => {
      const found = await taggedVersion(registry, referenceOf(entry));
      if (found === undefined) return false;
      if (bundle !== undefined) return found.reference.digest === digestOf(bundle.text);
      return found.layer.digest === `sha256:${entry.digest}`;
    },
    store: async (entry, archive, { bundle }) => {
      const target = referenceOf(entry);
      if (bundle === undefined) {
        const loaded = await loadArchive(archive, formatOciReference(target));
        await pushPackage(registry, target, { loaded, archive, lifecycle: lifecycleOf(entry) });
      } else await pushAsItWas(registry, target, { bundle, archive, lifecycle: lifecycleOf(entry) });
    },
    storeCompanions: async (entry, { bundle, detached, attachments }) => {
      const version = await taggedVersion(registry, referenceOf(entry));
      if (version === undefined) return;
      const { reference } = version;
      await writeRelease(registry, reference, lifecycleOf(entry));
      await addManifestSignatures(registry, reference, bundle?.signatures ?? []);
      const signatures = detached.map((text) => ({ artifactType: SIGNATURE_TYPE, text: `${text}\n` }));
      const known = new Set((await readAttachments(registry, reference)).map(({ text }) => text));
      for (const attachment of [...signatures, ...attachments]) {
        if (!known.has(attachment.text)) await pushAttachment(registry, reference, attachment);
      }
    },
    finish: async () => undefined,
  };
}

interface CopiedPackage {
  readonly bundle: PackageBundle;
  readonly archive: Uint8Array;
  readonly lifecycle: Lifecycle;
}

async function pushAsItWas(
  registry: OciClient,
  target: OciReference,
  { bundle: { text, config }, archive, lifecycle }: CopiedPackage,
): Promise<void> {
  const place = formatOciReference(target);
  const manifest = parseManifest(text, place);
  if (packageLayer(manifest, place).digest !== digestOf(archive) || manifest.config.digest !== digestOf(config)) {
    throw new TerminalError(`The manifest that ${place} had in its registry is of another archive.`, 'DigestMismatch');
  }
  await registry.pushBlob(target, archive);
  await registry.pushBlob(target, Buffer.from(config));
  if (Object.keys(lifecycle).length > 0) {
    const digest = digestOf(text);
    const { registry: host, repository } = target;
    await registry.pushManifest({ registry: host, repository, digest }, Buffer.from(text), MANIFEST_TYPE);
    await writeRelease(registry, { ...target, digest }, lifecycle);
  }
  await registry.pushManifest(target, Buffer.from(text), MANIFEST_TYPE);
}
