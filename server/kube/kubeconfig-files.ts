import { readFileSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import { arrayAt, isJsonObject, type JsonObject, type JsonValue, stringAt } from '@/lib/json/json';
import { readYaml } from '@/lib/yaml/yaml';

/** A kubeconfig, possibly of several files; `name` is its name in messages. */
export interface Kubeconfig {
  readonly config: JsonObject;
  readonly name: string;
}

const LISTS = ['clusters', 'contexts', 'users'] as const;
/** Fields with a file name that is relative to the kubeconfig (client-go tools/clientcmd/loader.go). */
const FILE_FIELDS = ['certificate-authority', 'client-certificate', 'client-key', 'tokenFile'];

/**
 * Reads one kubeconfig, or several with `:` (on Windows `;`) between them, merged as kubectl does: files that do not
 * exist or are empty are skipped; of clusters, contexts, users and the current context the first file that has one wins.
 * File names in the result are absolute.
 *
 * @throws TerminalError
 */
export function readKubeconfig(paths: string): Kubeconfig {
  const files = paths
    .split(delimiter)
    .filter((path) => path !== '')
    .map((path) => resolve(path));
  const [first] = files;
  if (first !== undefined && files.length === 1) return { config: readOne(first), name: first };
  const found = files.flatMap((path) => {
    const config = readOneOf(path);
    return config === undefined ? [] : [config];
  });
  if (found.length === 0) throw invalid(`None of the kubeconfigs ${files.join(', ')} exists and has content.`);
  return { config: merge(found), name: files.join(', ') };
}

function merge(configs: readonly JsonObject[]): JsonObject {
  const merged: JsonObject = {};
  for (const list of LISTS) {
    const byName = new Map<string, JsonValue>();
    for (const item of configs.flatMap((config) => arrayAt(config, list))) {
      const name = stringAt(item, 'name');
      if (name !== undefined && !byName.has(name)) byName.set(name, item);
    }
    merged[list] = [...byName.values()];
  }
  const current = configs.map((config) => stringAt(config, 'current-context') ?? '').find((name) => name !== '');
  return {
    apiVersion: 'v1',
    kind: 'Config',
    ...merged,
    ...(current === undefined ? {} : { 'current-context': current }),
  };
}

/** One of several files: undefined when it does not exist or is empty. */
function readOneOf(path: string): JsonObject | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    return text.trim() === '' ? undefined : parse(text, path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error instanceof TerminalError
      ? error
      : invalid(`The kubeconfig ${path} cannot be read: ${messageOf(error)}.`);
  }
}

function readOne(path: string): JsonObject {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const wayOut = isMissing(error) ? ' Set KUBECONFIG or --kubeconfig.' : '';
    throw invalid(`The kubeconfig ${path} cannot be read: ${messageOf(error)}.${wayOut}`);
  }
  return parse(text, path);
}

function parse(text: string, path: string): JsonObject {
  const result = readYaml(text);
  if (!result.ok) throw invalid(`The kubeconfig ${path} is not valid YAML (${result.problems[0]?.message ?? ''}).`);
  if (!isJsonObject(result.value)) throw invalid(`The kubeconfig ${path} is empty or not a mapping.`);
  return withAbsoluteFiles(result.value, dirname(path));
}

function withAbsoluteFiles(config: JsonObject, folder: string): JsonObject {
  const part = (item: JsonValue, member: string): JsonValue => {
    const value = isJsonObject(item) ? item[member] : undefined;
    return isJsonObject(item) && isJsonObject(value) ? { ...item, [member]: absolute(value, folder) } : item;
  };
  return {
    ...config,
    clusters: arrayAt(config, 'clusters').map((item) => part(item, 'cluster')),
    users: arrayAt(config, 'users').map((item) => part(item, 'user')),
  };
}

function absolute(part: JsonObject, folder: string): JsonObject {
  const changed: JsonObject = { ...part };
  for (const field of FILE_FIELDS) {
    const file = stringAt(part, field) ?? '';
    if (file !== '' && !isAbsolute(file)) changed[field] = join(folder, file);
  }
  const command = stringAt(part, 'exec', 'command') ?? '';
  // A name without a slash is looked up in PATH; one with a slash is relative to the kubeconfig.
  if (isJsonObject(part.exec) && command.includes('/') && !isAbsolute(command)) {
    changed.exec = { ...part.exec, command: join(folder, command) };
  }
  return changed;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function invalid(message: string): TerminalError {
  return new TerminalError(message, 'InvalidKubeconfig');
}
