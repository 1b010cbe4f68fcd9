import { TerminalError } from '@/lib/errors/errors';
import { byWalk, packageRoot } from '@/lib/kudo/package/parse-package';
import { OPERATOR_FILE, type PackageFiles } from '@/lib/kudo/package/types';
import { limits } from '@/lib/limits/limits';
import { gunzipBytes, gzipBytes } from '@/lib/tar/gzip';
import { readTar } from '@/lib/tar/read-tar';
import { writeTar } from '@/lib/tar/write-tar';
import { checkDraftSize, isDraftFile, sortedFiles } from './draft-files';

/** A file of an upload, and its path. */
export interface UploadedFile {
  readonly path: string;
  readonly content: Uint8Array;
}

/** The files of a package, and the paths that were left out because they are no text of a package. */
export interface OpenedPackage {
  readonly files: PackageFiles;
  readonly leftOut: readonly string[];
}

/** The `.tgz` of a draft: the same files give the same bytes, and those of `bravo package create` before they are compressed. */
export async function packDraft(files: PackageFiles): Promise<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  const sorted = [...files].sort(([a], [b]) => byWalk(a, b));
  return gzipBytes(writeTar(new Map(sorted.map(([path, text]) => [path, encoder.encode(text)]))));
}

/**
 * Opens a `.tgz`.
 *
 * @throws TerminalError for what is no package, and what is too large
 */
export async function openArchive(archive: Uint8Array<ArrayBuffer>): Promise<OpenedPackage> {
  if (archive.length > limits.packageArchiveBytes) {
    throw new TerminalError(`The archive is larger than ${limits.packageArchiveBytes} bytes.`, 'TooLarge');
  }
  const unpacked = readTar(await gunzipBytes(archive, limits.workshop.unpackedBytes));
  return openFiles(unpacked.map(({ name, content }) => ({ path: name, content })));
}

/**
 * Opens the files of a folder or an archive. Its root is where operator.yaml is: the top, or a folder in it; of a folder `operator`
 * beside others only that is taken. A later file of the same path wins.
 *
 * @throws TerminalError without an operator.yaml, and for what is too large
 */
export function openFiles(uploaded: readonly UploadedFile[]): OpenedPackage {
  const root = rootOf(uploaded.map(({ path }) => path));
  const inside = uploaded.filter(({ path }) => path.startsWith(root));
  const named = inside.map(({ path, content }) => ({ path: path.slice(root.length), content }));
  const texts = new Map<string, string>();
  const leftOut: string[] = [];
  for (const { path, content } of named.filter(({ path }) => !isHidden(path))) {
    const text = isDraftFile(path) ? decoded(content) : undefined;
    if (text === undefined) leftOut.push(path);
    else texts.set(path, text);
  }
  const files = sortedFiles(packageRoot(texts));
  checkDraftSize(files);
  return { files, leftOut };
}

/** The folder of the operator.yaml that is nearest to the top, with a slash at its end. */
function rootOf(paths: readonly string[]): string {
  const found = paths
    .filter((path) => path === OPERATOR_FILE || path.endsWith(`/${OPERATOR_FILE}`))
    .sort((a, b) => a.split('/').length - b.split('/').length)[0];
  if (found === undefined) throw new TerminalError('It has no operator.yaml, so it is no package.', 'PackageInvalid');
  return found.slice(0, -OPERATOR_FILE.length);
}

function isHidden(path: string): boolean {
  return path.split('/').some((part) => part.startsWith('.') || part === 'node_modules');
}

/** Undefined for what is not UTF-8. */
function decoded(content: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(content);
  } catch {
    return undefined;
  }
}
