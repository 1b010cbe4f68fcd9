import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import type { IndexEntry } from '@/lib/kudo/repository/index-file';
import { type Lifecycle, lifecycleObject, lifecycleOf } from '@/lib/kudo/repository/lifecycle';
import { withReleases } from '@/lib/kudo/repository/releases-file';
import { formatOciReference, type OciReference, parseOciReference } from '@/lib/oci/reference';
import type { OciClient } from '@/server/packages/oci/oci-client';
import { OciRepository, registryPath } from '@/server/packages/oci/oci-repository';
import { readRelease, writeRelease } from '@/server/packages/oci/release-records';
import { findVersion, taggedVersion } from '@/server/packages/oci/versions';
import { channelsOfFlag } from './support/channels';
import { onlyArgument } from './support/packages';
import { printLine } from './support/print-line';
import { ociArgument, type RegistryFlags, registryFor, withRegistryFlags } from './support/registry-flags';
import { repeated } from './support/session';

interface ReleaseFlags extends RegistryFlags {
  readonly channel?: readonly string[];
  readonly withdraw?: string;
  readonly releases?: string;
  readonly operator?: readonly string[];
}

/** `bravo package release oci://…`: says in which channels a pushed version is, whether it is withdrawn, and more; its digest stays. */
export function packageReleaseCommand(): Command {
  const command = new Command('release')
    .description('Change channels, withdrawals and advisories of versions in an OCI registry')
    .argument('[reference...]', 'oci://registry/path/NAME:TAG, or with --releases the path above the packages')
    .option('--channel <name>', 'put the version into this channel only; may be given several times', repeated)
    .option('--withdraw <reason>', 'nobody should move to the version any more')
    .option('--releases <file>', 'file with channels, ranges, withdrawals and advisories, as for bravo repo index')
    .option('--operator <name>', 'with --releases, where the registry has no list: a package', repeated);
  return withRegistryFlags(command).action(async (words: string[], _flags: unknown, self: Command) => {
    const flags = self.optsWithGlobals<ReleaseFlags>();
    const word = onlyArgument(
      words,
      'expecting exactly one argument - a reference such as oci://registry/path/NAME:TAG',
    );
    if (flags.releases === undefined) await releaseOne(ociArgument(word), flags);
    else if (flags.channel !== undefined || flags.withdraw !== undefined) {
      throw refused("specify either 'releases', or 'channel' and 'withdraw', not both");
    } else await releaseAll(word, flags.releases, flags);
  });
}

async function releaseOne(asked: OciReference, flags: ReleaseFlags): Promise<void> {
  const registry = await registryFor(formatOciReference(asked), flags);
  const found = await taggedVersion(registry, await findVersion(registry, asked, {}));
  if (found === undefined) {
    throw new TerminalError(`${formatOciReference(asked)} is not an operator package.`, 'PackageNotFound');
  }
  const channels = channelsOfFlag(flags.channel);
  const { withdraw } = flags;
  const before = await readRelease(registry, found.reference);
  const lifecycle: Lifecycle = {
    ...before,
    ...(channels.length === 0 ? {} : { channels }),
    ...(withdraw === undefined ? {} : { withdrawn: { reason: withdraw } }),
  };
  const isChanged = await writeRelease(registry, found.reference, lifecycle);
  say(found.reference, lifecycle, isChanged);
}

async function releaseAll(url: string, file: string, flags: ReleaseFlags): Promise<void> {
  registryPath(url);
  const registry = await registryFor(url, flags);
  const { entries } = await new OciRepository({ name: url, url, registry, operators: flags.operator }).index();
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw refused(`--releases: ${messageOf(error)}`);
  });
  const stored = [...entries.values()].flat();
  const said = withReleases(stored.map(withoutLifecycle), text, file);
  for (const entry of said) await releaseEntry(registry, entry);
}

async function releaseEntry(registry: OciClient, entry: IndexEntry): Promise<void> {
  const { digest, ...reference } = parseOciReference(entry.urls[0] ?? '');
  const lifecycle = lifecycleOf(entry);
  // What the file does not name keeps what is said of it.
  if (digest === undefined || Object.keys(lifecycle).length === 0) return;
  say(reference, lifecycle, await writeRelease(registry, { ...reference, digest }, lifecycle));
}

function withoutLifecycle(entry: IndexEntry): IndexEntry {
  const { channels, upgradableFrom, required, withdrawn, advisories, ...rest } = entry;
  return rest;
}

function say({ registry, repository, tag }: OciReference, lifecycle: Lifecycle, isChanged: boolean): void {
  const place = formatOciReference({ registry, repository, ...(tag === undefined ? {} : { tag }) });
  const words = JSON.stringify({ channels: ['stable'], ...lifecycleObject(lifecycle) });
  printLine(`${place} ${isChanged ? 'changed' : 'unchanged'}: ${words}`);
}

function refused(message: string): TerminalError {
  return new TerminalError(message, 'InvalidArguments');
}
