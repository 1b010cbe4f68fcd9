import { sha256 } from '@noble/hashes/sha2.js';
import { isJsonObject, stringAt } from '@/lib/json/json';
import { readYaml, writeYaml } from '@/lib/yaml/yaml';
import type { PackageFiles } from '../package/types';

/** The file beside operator.yaml that says which version of the base a package was built with. */
export const LOCK_FILE = 'extends.lock.yaml';

export interface BaseLock {
  readonly operator: string;
  readonly operatorVersion: string;
  /** Empty when the base has none. */
  readonly appVersion: string;
  /** `sha256:` and the digest of the base's files. */
  readonly digest: string;
}

/** The lock of a package; undefined when it has none, or one that cannot be read. */
export function readBaseLock(files: PackageFiles): BaseLock | undefined {
  const read = readYaml(files.get(LOCK_FILE) ?? '');
  if (!read.ok || !isJsonObject(read.value)) return undefined;
  const text = (name: string): string => stringAt(read.value, name) ?? '';
  const lock = {
    operator: text('operator'),
    operatorVersion: text('operatorVersion'),
    appVersion: text('appVersion'),
    digest: text('digest'),
  };
  return lock.operator === '' || lock.operatorVersion === '' || lock.digest === '' ? undefined : lock;
}

/** The text of the lock file. */
export function writeBaseLock(lock: BaseLock): string {
  return `# Written by "bravo package create". "--update-base" moves it to the newest version of the range.\n${writeYaml(lock)}`;
}

/** The digest of what makes a package: operator.yaml, params.yaml and templates, whatever archive or folder they come from. */
export function digestOfPackage(files: PackageFiles): string {
  const own = [...files].filter(([path]) => /^(operator|params)\.yaml$|^templates\//.test(path));
  const text = own
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, content]) => `${path}\0${content.length}\0${content}\0`)
    .join('');
  const bytes = sha256(new TextEncoder().encode(text));
  return `sha256:${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
