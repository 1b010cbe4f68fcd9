import { TerminalError } from '@/lib/errors/errors';
import { byWalk } from '@/lib/kudo/package/parse-package';
import { OPERATOR_FILE, PARAMS_FILE, type PackageFiles } from '@/lib/kudo/package/types';
import { limits } from '@/lib/limits/limits';

/** Files that a package may have beside its YAML; others are no text that somebody edits. */
const TEXT_FILE = /\.(ya?ml|md|txt|json)$/;
const PATH = /^[A-Za-z0-9_][A-Za-z0-9._-]*(\/[A-Za-z0-9_][A-Za-z0-9._-]*)*$/;

/** Why a path cannot be that of a new file, as a sentence; undefined when it can. */
export function pathProblem(path: string, files: PackageFiles): string | undefined {
  if (path === '') return 'Required.';
  if (!PATH.test(path)) return 'Use letters, digits, dots, dashes and underscores, and / between folders.';
  if (path.length > limits.workshop.pathBytes) return `At most ${limits.workshop.pathBytes} characters.`;
  if (!TEXT_FILE.test(path)) return 'The name must end with .yaml, .md, .txt or .json.';
  if (files.has(path)) return `File ${path} already exists.`;
  const folder = [...files.keys()].find((each) => each.startsWith(`${path}/`) || path.startsWith(`${each}/`));
  return folder === undefined ? undefined : `${folder} already exists, so ${path} cannot be both a file and a folder.`;
}

/** True for a file of an upload that becomes a file of the draft. */
export function isDraftFile(path: string): boolean {
  return TEXT_FILE.test(path) && PATH.test(path) && path.length <= limits.workshop.pathBytes;
}

/**
 * Refuses a package that is too large to be verified after each keystroke.
 *
 * @throws TerminalError with a sentence that says how large it may be
 */
export function checkDraftSize(files: PackageFiles): void {
  const { files: most, fileChars, chars } = limits.workshop;
  const tooLarge = (why: string) =>
    new TerminalError(`${why} Edit such a package in a folder, and verify it with bravo package verify.`, 'TooLarge');
  if (files.size > most) {
    throw tooLarge(`The package has ${files.size} files, and the workshop opens packages of at most ${most}.`);
  }
  let sum = 0;
  for (const [path, text] of files) {
    sum += text.length;
    if (text.length > fileChars) throw tooLarge(`File ${path} is longer than ${fileChars / 1024} KiB.`);
  }
  if (sum > chars) throw tooLarge(`The files of the package are longer than ${chars / 1024} KiB together.`);
}

/** The files in the order of the tree: operator.yaml and params.yaml first, then as a walk through the folders finds them. */
export function sortedFiles(files: PackageFiles): PackageFiles {
  const rank = (path: string) => (path === OPERATOR_FILE ? 0 : path === PARAMS_FILE ? 1 : 2);
  return new Map([...files].sort(([a], [b]) => rank(a) - rank(b) || byWalk(a, b)));
}

/** The same files with a text changed or added. */
export function withFile(files: PackageFiles, path: string, text: string): PackageFiles {
  return files.has(path) ? new Map(files).set(path, text) : sortedFiles(new Map(files).set(path, text));
}

/** The same files without one. */
export function withoutFile(files: PackageFiles, path: string): PackageFiles {
  return new Map([...files].filter(([each]) => each !== path));
}
