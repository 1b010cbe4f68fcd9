import { TerminalError } from '@/lib/errors/errors';
import { arrayAt, isJsonObject, type JsonObject, stringAt } from '@/lib/json/json';
import { byBestVersion } from '@/lib/kudo/versions';
import { readYamlAsKubernetes } from '@/lib/yaml/yaml';
import type { Maintainer } from '../types';
import { type Lifecycle, type ReportLifecycle, readLifecycle } from './lifecycle';

/** One version of an operator in a repository (KUDO pkg/kudoctl/util/repo/index.go). */
export interface IndexEntry extends Lifecycle {
  /** What lookups use: the key in the file. */
  readonly name: string;
  readonly operatorVersion: string;
  /** Empty when the entry has none. */
  readonly appVersion: string;
  readonly description?: string;
  readonly maintainers: readonly Maintainer[];
  readonly urls: readonly string[];
  /** True: withdrawn. The version stays in the file but is not found any more (KUDO still found it). */
  readonly removed: boolean;
  /** SHA-256 of the archive in hex; empty when the file says none. */
  readonly digest: string;
}

/** The content of an `index.yaml`: entries by name, in the order of names, best version first. */
export interface RepositoryIndex {
  readonly entries: ReadonlyMap<string, readonly IndexEntry[]>;
}

/**
 * Reads an `index.yaml`. Unknown keys are ignored; an entry that is not a map is refused (KUDO crashed).
 *
 * @throws TerminalError in KUDO's words
 */
export function parseIndex(text: string): RepositoryIndex {
  const read = readYamlAsKubernetes(text);
  const invalid = (message: string): TerminalError => new TerminalError(message, 'IndexInvalid');
  if (!read.ok) throw invalid(`unmarshalling index file: ${read.problems[0]?.message ?? 'the file is not YAML'}`);
  const file = isJsonObject(read.value) ? read.value : {};
  if ((stringAt(file, 'apiVersion') ?? '') === '') throw invalid('validating index file: no API version defined');
  const entries = new Map<string, IndexEntry[]>();
  for (const [name, list] of Object.entries(isJsonObject(file.entries) ? file.entries : {}).sort(byKey)) {
    const versions = (Array.isArray(list) ? list : []).map((each) => {
      if (!isJsonObject(each)) throw invalid(`validating index file: package ${name} has an entry that is not a map`);
      return entryOf(name, each, (path, message) => {
        const version = textAt(each, 'operatorVersion');
        throw invalid(`validating index file: package ${name} ${version}: ${path.join('.')} ${message}`);
      });
    });
    if (versions.some(({ operatorVersion }) => operatorVersion === '')) {
      throw invalid(`validating index file: package ${name} is missing an operator version`);
    }
    entries.set(name, versions.sort(byBestVersion));
  }
  return { entries };
}

function entryOf(name: string, from: JsonObject, report: ReportLifecycle): IndexEntry {
  const description = textAt(from, 'description');
  return {
    name,
    operatorVersion: textAt(from, 'operatorVersion'),
    appVersion: textAt(from, 'appVersion'),
    ...(description === '' ? {} : { description }),
    maintainers: arrayAt(from, 'maintainers').flatMap((each) =>
      isJsonObject(each) ? [{ name: textAt(each, 'name'), email: textAt(each, 'email') }] : [],
    ),
    urls: arrayAt(from, 'urls').filter((url) => typeof url === 'string'),
    removed: from.removed === true,
    digest: textAt(from, 'digest').toLowerCase(),
    ...readLifecycle(from, report),
  };
}

/** Versions such as 5.7 may be written without quotes. */
function textAt(from: JsonObject, key: string): string {
  const value = from[key];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

/** What is looked for: a name, and versions whose text must be equal when they are not empty. */
export interface IndexWish {
  readonly name: string;
  readonly appVersion?: string | undefined;
  readonly operatorVersion?: string | undefined;
}

/**
 * The best version that matches.
 *
 * @throws TerminalError `no operator found for: …` or `no operator version found for …`
 */
export function findInIndex(index: RepositoryIndex, wish: IndexWish): IndexEntry {
  const { name, appVersion = '', operatorVersion = '' } = wish;
  const versions = (index.entries.get(name) ?? []).filter(({ removed }) => !removed);
  if (versions.length === 0) throw new TerminalError(`no operator found for: ${name}`, 'PackageNotFound');
  const fits = (wanted: string, is: string): boolean => wanted === '' || wanted === is;
  const found = versions.find(
    (each) => fits(appVersion, each.appVersion) && fits(operatorVersion, each.operatorVersion),
  );
  if (found !== undefined) return found;
  const wanted = operatorVersion === '' ? name : `${name}-${operatorVersion}`;
  throw new TerminalError(`no operator version found for ${wanted}`, 'PackageNotFound');
}

/** Entries whose name contains the text, sorted by name: of each its best version, or every version. */
export function searchIndex(index: RepositoryIndex, text: string, which: 'best' | 'all'): IndexEntry[] {
  return [...index.entries]
    .filter(([name]) => name.includes(text))
    .flatMap(([, versions]) => {
      const left = versions.filter(({ removed }) => !removed);
      return which === 'all' ? left : left.slice(0, 1);
    });
}
