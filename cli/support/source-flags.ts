import type { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import { parameterSourceOf, sourceEntry, sourceWords } from '@/lib/kudo/sources/parameter-source';
import type { Instance, ParameterSource } from '@/lib/kudo/types';
import { repeated } from './session';

export interface SourceFlags {
  readonly parameterFrom?: readonly string[];
}

/** `--parameter-from`: KUDO has no such flag. */
export function withSourceFlags(command: Command): Command {
  return command.option(
    '--parameter-from <name=kind/object/key>',
    'take the value of a parameter from a key of a secret or configmap (repeatable)',
    repeated,
  );
}

/**
 * Sources from `--parameter-from NAME=secret/OBJECT/KEY`, by parameter.
 *
 * @param parameters values of the same command, which cannot be given for the same names
 * @throws TerminalError that names every mistake
 */
export function readSourceFlags(
  flags: SourceFlags,
  parameters: { readonly [name: string]: string },
): { [name: string]: ParameterSource } {
  const problems: string[] = [];
  const sources: { [name: string]: ParameterSource } = {};
  for (const text of flags.parameterFrom ?? []) {
    const [, parameter = '', kind = '', name = '', key = ''] =
      /^([^=]+)=(secret|configmap)\/([^/]+)\/([^/]+)$/i.exec(text) ?? [];
    if (parameter === '') {
      problems.push(`"${text}" is not NAME=secret/OBJECT/KEY or NAME=configmap/OBJECT/KEY`);
    } else if (Object.hasOwn(parameters, parameter)) {
      problems.push(`parameter "${parameter}" has both a value and a source`);
    } else {
      const source = { kind: kind.toLowerCase() === 'secret' ? 'Secret' : 'ConfigMap', name, key } as const;
      sources[parameter] = sourceEntry(parameter, source);
    }
  }
  if (problems.length === 0) return sources;
  throw new TerminalError(`could not parse --parameter-from: ${problems.join(', ')}`, 'InvalidParameters');
}

/**
 * @throws TerminalError for the first value that is given for a parameter whose value is in a Secret or a ConfigMap, with the
 *   place where to change it
 */
export function refuseSourced(instance: Instance, parameters: { readonly [name: string]: string }): void {
  for (const name of Object.keys(parameters)) {
    const source = parameterSourceOf(instance.spec, name);
    if (source === undefined) continue;
    const { kind, key } = source;
    const field = kind === 'Secret' ? 'stringData' : 'data';
    const patch = `kubectl patch ${kind.toLowerCase()} ${source.name} -n ${instance.metadata.namespace ?? ''} --type merge -p '{"${field}":{"${key}":"VALUE"}}'`;
    throw new TerminalError(
      `the value of parameter "${name}" is in ${sourceWords(source)}. Change it there (${patch}), or add --inline to keep the new value in the instance instead`,
      'InvalidArguments',
    );
  }
}
