import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import { isJsonObject } from '@/lib/json/json';
import { wrapValue } from '@/lib/kudo/rendering/wrap';
import { readYamlAsKubernetes } from '@/lib/yaml/yaml';
import { repeated } from './session';

export interface ParameterFlags {
  readonly parameter?: readonly string[];
  readonly parameterFile?: readonly string[];
}

/** `-p` and `-P`, as KUDO has them. */
export function withParameterFlags(command: Command): Command {
  return command
    .option('-p, --parameter <name=value>', 'value of a parameter (repeatable)', repeated)
    .option('-P, --parameter-file <file>', 'YAML file with values of parameters (repeatable)', repeated);
}

/**
 * Values from `-p key=value` and `-P file` as in KUDO: files in their order, then the flags. All problems are named
 * at once.
 *
 * @throws TerminalError `could not parse parameters: …`
 */
export async function readParameters(flags: ParameterFlags): Promise<{ [name: string]: string }> {
  const problems: string[] = [];
  const given = new Map<string, string>();
  for (const text of flags.parameter ?? []) {
    const equals = text.indexOf('=');
    if (equals < 0) problems.push(`parameter not set: ${text}`);
    else if (equals === 0) problems.push(`parameter name can not be empty: ${text}`);
    else if (equals === text.length - 1) problems.push(`parameter value can not be empty: ${text}`);
    else given.set(text.slice(0, equals), text.slice(equals + 1));
  }
  const values = new Map<string, string>();
  for (const file of flags.parameterFile ?? []) await readParameterFile(file, values, problems);
  if (problems.length > 0)
    throw new TerminalError(`could not parse parameters: ${problems.join(', ')}`, 'InvalidParameters');
  return Object.fromEntries([...values, ...given]);
}

async function readParameterFile(file: string, values: Map<string, string>, problems: string[]): Promise<void> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    problems.push(
      `error reading from parameter file ${file}: open ${file}: ${isMissing ? 'file does not exist' : 'the file cannot be read'}`,
    );
    return undefined;
  });
  if (text === undefined) return;
  const read = readYamlAsKubernetes(text);
  if (!read.ok || !isJsonObject(read.value ?? {})) {
    const why = read.ok ? 'the content is not a map' : (read.problems[0]?.message ?? '');
    problems.push(`error unmarshalling content of parameter file ${file}: ${why}`);
    return;
  }
  const nulls: string[] = [];
  for (const [key, value] of Object.entries(isJsonObject(read.value) ? read.value : {})) {
    const wrapped = wrapValue(value);
    if (wrapped === undefined) {
      nulls.push(
        `${key} has a null value (https://yaml.org/spec/1.2/spec.html#id2803362) which is currently not supported`,
      );
    } else values.set(key, wrapped);
  }
  if (nulls.length > 0) {
    problems.push(`errors while unmarshaling following keys of the parameter file ${file}: ${nulls.join(', ')}`);
  }
}
