import { readFile, stat } from 'node:fs/promises';
import { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import { verifyPackage } from '@/lib/kudo/verify/verify';
import { formatOciReference, type OciReference } from '@/lib/oci/reference';
import { attest } from '@/server/packages/attest';
import { companionsOfFiles, type ReadBeside } from '@/server/packages/companions';
import { type LoadedPackage, loadPackage, PackageError } from '@/server/packages/loaded-package';
import {
  type Attachment,
  PROVENANCE_TYPE,
  pushAttachment,
  SBOM_TYPE,
  SIGNATURE_TYPE,
} from '@/server/packages/oci/attachments';
import { pushPackage, signManifest } from '@/server/packages/oci/push-package';
import { writePackageArchive } from '@/server/packages/write-archive';
import { productVersion } from '@/server/runtime/root';
import { channelsOfFlag } from './support/channels';
import { printLine } from './support/print-line';
import { ociArgument, type RegistryFlags, registryFor, withRegistryFlags } from './support/registry-flags';
import { repeated } from './support/session';
import { readSigningKey } from './support/signing-keys';

interface PushFlags extends RegistryFlags {
  readonly signKey?: string;
  readonly channel?: readonly string[];
}

/** `bravo push FOLDER|TGZ oci://…`: verifies a package, and stores it in an OCI registry, with its provenance and SBOM. */
export function pushCommand(): Command {
  const command = new Command('push')
    .description('Verify a package, and store it in an OCI registry')
    .argument(
      '[package and reference...]',
      'a folder or a .tgz file, and oci://registry/path/NAME with or without :TAG',
    )
    .option('--sign-key <file>', 'sign it with this private key (COSIGN_PASSWORD is its password)')
    .option('--channel <name>', 'put the version into this channel; may be given several times', repeated);
  return withRegistryFlags(command).action(async (words: string[], _flags: unknown, self: Command) => {
    const flags = self.optsWithGlobals<PushFlags>();
    const [path, reference] = words;
    if (path === undefined || reference === undefined || words.length !== 2) {
      throw new TerminalError(
        'expecting exactly two arguments - the package and a reference such as oci://registry/path/NAME',
        'InvalidArguments',
      );
    }
    await push(path, ociArgument(reference), flags);
  });
}

async function push(path: string, target: OciReference, flags: PushFlags): Promise<void> {
  const { loaded, archive } = await packedPackage(path);
  checkPath(target, loaded);
  const channels = channelsOfFlag(flags.channel);
  const key = flags.signKey === undefined ? undefined : await readSigningKey(flags.signKey);
  const registry = await registryFor(formatOciReference(target), flags);
  const lifecycle = channels.length === 0 ? undefined : { channels };
  const { reference, isUploaded } = await pushPackage(registry, target, { loaded, archive, lifecycle });
  for (const attachment of await attachmentsOf(path, loaded, archive)) {
    await pushAttachment(registry, reference, attachment);
  }
  if (key !== undefined) await signManifest(registry, reference, key);
  const { digest, ...tagged } = reference;
  printLine(`${formatOciReference(tagged)} ${isUploaded ? 'pushed' : 'is in the registry already'}`);
  printLine(`digest: ${digest}${key === undefined ? '' : ' (signed)'}`);
}

/** Provenance, SBOM and signatures: for an archive those of the files beside it, which know more of its source; the others are made now. */
async function attachmentsOf(path: string, loaded: LoadedPackage, archive: Uint8Array): Promise<Attachment[]> {
  const read: ReadBeside = (suffix) => readFile(`${path}${suffix}`, 'utf8').catch(() => undefined);
  const isArchive = loaded.scope.kind === 'archive';
  const { detached, attachments } = isArchive ? await companionsOfFiles(read, path) : { detached: [], attachments: [] };
  const { provenance, sbom } = await attest(loaded, archive, productVersion);
  const made: Attachment[] = [
    { artifactType: PROVENANCE_TYPE, text: provenance },
    { artifactType: SBOM_TYPE, text: sbom },
  ];
  const known = new Set(attachments.map(({ artifactType }) => artifactType));
  return [
    ...attachments,
    ...made.filter(({ artifactType }) => !known.has(artifactType)),
    ...detached.map((text) => ({ artifactType: SIGNATURE_TYPE, text: `${text}\n` })),
  ];
}

/** A verified package and its archive. @throws PackageError when verification finds errors */
async function packedPackage(path: string): Promise<{ loaded: LoadedPackage; archive: Uint8Array }> {
  const loaded = await loadPackage(path);
  const { errors } = verifyPackage(loaded.package, { before: loaded.warnings });
  if (errors.length > 0) throw new PackageError(errors, loaded.place);
  const isFolder = (await stat(path)).isDirectory();
  const archive =
    isFolder && loaded.scope.kind === 'folder' ? await writePackageArchive(loaded.scope.path) : await readFile(path);
  return { loaded, archive };
}

/** A repository of packages finds a package by the end of its path. */
function checkPath({ repository, ...rest }: OciReference, { package: { operator } }: LoadedPackage): void {
  if (repository === operator.name || repository.endsWith(`/${operator.name}`)) return;
  const better = formatOciReference({ ...rest, repository: `${repository}/${operator.name}` });
  throw new TerminalError(
    `The path of the reference must end with the name of the package, ${operator.name}: ${better}`,
    'InvalidReference',
  );
}
