import { TerminalError } from '@/lib/errors/errors';
import type { IndexEntry } from '@/lib/kudo/repository/index-file';
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
        await pushPackage(registry, target, loaded, archive);
      } else await pushAsItWas(registry, target, bundle, archive);
    },
    storeCompanions: async (entry, { bundle, detached, attachments }) => {
      const version = await taggedVersion(registry, referenceOf(entry));
      if (version === undefined) return;
      const { reference } = version;
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

async function pushAsItWas(
  registry: OciClient,
  target: OciReference,
  { text, config }: PackageBundle,
  archive: Uint8Array,
): Promise<void> {
  const place = formatOciReference(target);
  const manifest = parseManifest(text, place);
  if (packageLayer(manifest, place).digest !== digestOf(archive) || manifest.config.digest !== digestOf(config)) {
    throw new TerminalError(`The manifest that ${place} had in its registry is of another archive.`, 'DigestMismatch');
  }
  await registry.pushBlob(target, archive);
  await registry.pushBlob(target, Buffer.from(config));
  await registry.pushManifest(target, Buffer.from(text), MANIFEST_TYPE);
}
