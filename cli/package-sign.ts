import { readFile, writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import { formatOciReference, isOciReference } from '@/lib/oci/reference';
import { loadArchive } from '@/server/packages/loaded-package';
import { pullPackage } from '@/server/packages/oci/pull-package';
import { signManifest } from '@/server/packages/oci/push-package';
import { findVersion } from '@/server/packages/oci/versions';
import { SIGNATURE_SUFFIX } from '@/server/packages/signing/bundle';
import { signBytes } from '@/server/packages/signing/check-signatures';
import { generateKeyPair, signingKeyId } from '@/server/packages/signing/keys';
import { onlyArgument } from './support/packages';
import { printLine } from './support/print-line';
import { ociArgument, type RegistryFlags, registryFor, withRegistryFlags } from './support/registry-flags';
import { askPassword, readSigningKey } from './support/signing-keys';

interface SignFlags extends RegistryFlags {
  readonly key?: string;
}

/** `bravo package sign oci://…|FILE.tgz --key cosign.key`. */
export function packageSignCommand(): Command {
  const command = new Command('sign')
    .description('Sign a package, as cosign does: in its registry, or in a file .sig beside a .tgz file')
    .argument('[package...]', 'oci://registry/path/NAME:TAG, or a .tgz file')
    .option('--key <file>', 'the private key (COSIGN_PASSWORD is its password)');
  return withRegistryFlags(command).action(async (words: string[], _flags: unknown, self: Command) => {
    const flags = self.optsWithGlobals<SignFlags>();
    const what = onlyArgument(words, 'expecting exactly one argument - oci://registry/path/NAME:TAG or a .tgz file');
    if (flags.key === undefined) throw new TerminalError('required flag(s) "key" not set', 'InvalidArguments');
    const key = await readSigningKey(flags.key);
    const id = signingKeyId(key).slice(0, 12);
    if (!isOciReference(what)) {
      const archive = await readFile(what).catch(() => {
        throw new TerminalError(`The file ${what} cannot be read.`, 'PackageNotFound');
      });
      await loadArchive(archive, what);
      await writeFile(`${what}${SIGNATURE_SUFFIX}`, `${signBytes(key, archive)}\n`);
      printLine(`Signature written: ${what}${SIGNATURE_SUFFIX} (key ${id})`);
      return;
    }
    const registry = await registryFor(what, flags);
    // What is signed is what was read and checked, not what the tag may be a moment later.
    const { reference } = await pullPackage(registry, await findVersion(registry, ociArgument(what), {}));
    await signManifest(registry, reference, key);
    printLine(`${formatOciReference(reference)} signed (key ${id})`);
  });
}

/** `bravo package keys`: makes a pair of keys, in cosign's format. */
export function packageKeysCommand(): Command {
  return new Command('keys')
    .description('Make a pair of keys that sign packages, in the format of cosign')
    .option('--prefix <name>', 'the files are NAME.key and NAME.pub', 'cosign')
    .action(async ({ prefix }: { prefix: string }) => {
      const [privateFile, publicFile] = [`${prefix}.key`, `${prefix}.pub`];
      const { privateKey, publicKey } = await generateKeyPair(await askPassword(`Password for ${privateFile}`));
      await writeNew(privateFile, privateKey, 0o600);
      await writeNew(publicFile, publicKey, 0o644);
      printLine(`Private key written: ${privateFile}\nPublic key written: ${publicFile}`);
    });
}

async function writeNew(file: string, text: string, mode: number): Promise<void> {
  await writeFile(file, text, { mode, flag: 'wx' }).catch((error: unknown) => {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'EEXIST') throw error;
    throw new TerminalError(`target file "${file}" already exists`, 'AlreadyExists');
  });
}
