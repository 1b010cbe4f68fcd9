import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { VolumeFile } from './volume-files';

/**
 * Writes the files of a volume as the kubelet does (pkg/volume/util/atomic_writer.go): the files are in a new folder, `..data`
 * leads to it and changes in one rename, and the names that containers see lead through `..data`. Nothing is written when
 * nothing changed.
 *
 * @param group owns the files and may read them, when given (fsGroup)
 */
export function writeAtomically(folder: string, files: readonly VolumeFile[], group: number | undefined): void {
  mkdirSync(folder, { recursive: true });
  const name = `..${digestOf(files)}`;
  const current = readLink(join(folder, '..data'));
  if (current === name) return;
  const target = join(folder, name);
  makeFolder(target, group);
  for (const { path, content, mode } of files) {
    makeParents(target, path, group);
    const file = join(target, path);
    writeFileSync(file, content);
    if (group !== undefined) chownSync(file, 0, group);
    chmodSync(file, group === undefined ? mode : mode | 0o440);
  }
  rmSync(join(folder, '..data_tmp'), { force: true });
  symlinkSync(name, join(folder, '..data_tmp'));
  renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
  const tops = new Set(files.map(({ path }) => path.split('/')[0] ?? ''));
  for (const top of tops) {
    if (!isThere(join(folder, top))) symlinkSync(join('..data', top), join(folder, top));
  }
  for (const entry of readdirSync(folder)) {
    if (!entry.startsWith('..') && !tops.has(entry)) rmSync(join(folder, entry), { force: true });
  }
  if (current !== undefined) rmSync(join(folder, current), { recursive: true, force: true });
}

function makeParents(target: string, path: string, group: number | undefined): void {
  const parent = dirname(path);
  if (parent === '.' || existsSync(join(target, parent))) return;
  makeParents(target, parent, group);
  makeFolder(join(target, parent), group);
}

function makeFolder(folder: string, group: number | undefined): void {
  mkdirSync(folder, { recursive: true });
  if (group !== undefined) chownSync(folder, 0, group);
  chmodSync(folder, group === undefined ? 0o755 : 0o2775);
}

function digestOf(files: readonly VolumeFile[]): string {
  const hash = createHash('sha256');
  for (const { path, content, mode } of files) hash.update(`${path}\0${mode}\0${content.length}\0`).update(content);
  return hash.digest('hex').slice(0, 16);
}

function readLink(path: string): string | undefined {
  return isThere(path) ? readlinkSync(path) : undefined;
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
