import type { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import { isOciReference, type OciReference, parseOciReference } from '@/lib/oci/reference';
import type { OciClient } from '@/server/packages/oci/oci-client';
import type { HomeFlags } from './home';
import { openRegistry } from './packages';
import { readRepositories } from './repositories';

/** How a registry on the command line is asked. */
export interface RegistryFlags extends HomeFlags {
  readonly plainHttp?: boolean;
}

/** Adds `--plain-http`. */
export function withRegistryFlags(command: Command): Command {
  return command.option('--plain-http', 'ask the registry over http (a registry on this machine always is)');
}

/** The registry of a reference: over http when the flag, or its repository in the list, says so. */
export async function registryFor(reference: string, flags: RegistryFlags): Promise<OciClient> {
  const known = (await readRepositories(flags))?.repositories ?? [];
  const own = { name: reference, url: reference, isPlainHttp: flags.plainHttp === true };
  return openRegistry([...known, own]);
}

/** A reference that a verb needs. @throws TerminalError when the text is something else */
export function ociArgument(text: string | undefined): OciReference {
  if (text !== undefined && isOciReference(text)) return parseOciReference(text);
  throw new TerminalError(
    'expecting a reference to an OCI registry, such as oci://registry/path/postgres:16.9-1.1.0',
    'InvalidArguments',
  );
}
