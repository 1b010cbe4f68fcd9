import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { TerminalError } from '@/lib/errors/errors';
import { arrayAt, isJsonObject, stringAt } from '@/lib/json/json';
import { canonicalYaml } from '@/lib/kudo/rendering/canonical-yaml';
import {
  formatRepositorySource,
  parseRepositorySource,
  type RepositorySource,
} from '@/lib/kudo/repository/repository-source';
import { readYamlAsKubernetes } from '@/lib/yaml/yaml';
import { type HomeFlags, homeFolder, repositoriesFile } from './home';

/** The content of `repositories.yaml`, in KUDO's form. */
export interface RepositoryList {
  readonly repositories: readonly RepositorySource[];
  /** The name of the current repository, which is used without `--repo`. */
  readonly context: string;
}

export const COMMUNITY: RepositorySource = {
  name: 'community',
  url: 'https://kudo-repository.storage.googleapis.com/v1',
};

/** What `init` writes. */
export const DEFAULT_LIST: RepositoryList = { repositories: [COMMUNITY], context: COMMUNITY.name };

/** The list of a home; undefined when the file does not exist or cannot be parsed. */
export async function readRepositories(flags: HomeFlags): Promise<RepositoryList | undefined> {
  const text = await readFile(repositoriesFile(homeFolder(flags)), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const read = readYamlAsKubernetes(text);
  if (!read.ok || !isJsonObject(read.value)) return undefined;
  const repositories = arrayAt(read.value, 'repositories').flatMap((each) => parseRepositorySource(each) ?? []);
  return { repositories, context: stringAt(read.value, 'context') ?? '' };
}

/** @throws TerminalError with KUDO's hint when there is no list */
export async function requireRepositories(flags: HomeFlags): Promise<RepositoryList> {
  const list = await readRepositories(flags);
  if (list !== undefined) return list;
  const file = repositoriesFile(homeFolder(flags));
  throw new TerminalError(
    `could not load repositories file (${file}).\nYou might need to run \`kudo init\` (or \`kudo init --client-only\` if kudo is already installed)`,
    'RepositoriesMissing',
  );
}

/** Writes the list, and creates the folders. */
export async function writeRepositories(flags: HomeFlags, { repositories, context }: RepositoryList): Promise<void> {
  const file = repositoriesFile(homeFolder(flags));
  await mkdir(dirname(file), { recursive: true });
  const entries = repositories.map(formatRepositorySource);
  await writeFile(file, canonicalYaml({ context, repoVersion: 'v1', repositories: entries }), { mode: 0o644 });
}

/** The entry of that name. */
export function findRepository(list: RepositoryList, name: string): RepositorySource | undefined {
  return list.repositories.find((each) => each.name === name);
}
