import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { TerminalError } from '@/lib/errors/errors';
import type { PackageFiles } from '@/lib/kudo/package/types';
import { printLine } from '../support/print-line';

/** A line of the report of a conversion. */
export interface ReportedNote {
  readonly path: string;
  readonly level: 'info' | 'check';
  readonly message: string;
}

/**
 * Writes a package into a folder.
 * @throws TerminalError when the folder has files, unless `overwrites`
 */
export async function writeConverted(folder: string, files: PackageFiles, overwrites: boolean): Promise<void> {
  const existing = await readdir(folder).catch(() => []);
  if (existing.length > 0 && !overwrites) {
    const message = `The folder "${folder}" is not empty. Choose another one with --output, or write into it with -w.`;
    throw new TerminalError(message, 'AlreadyExists');
  }
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** Prints what was done, and then what a person has to look at, each with file and line. */
export function printNotes(notes: readonly ReportedNote[]): void {
  for (const [level, title] of [
    ['info', 'Converted'],
    ['check', 'Please check'],
  ] as const) {
    const lines = notes.filter((note) => note.level === level).map(({ path, message }) => `  ${path}: ${message}`);
    if (lines.length > 0) printLine([`${title}:`, ...new Set(lines)].join('\n'));
  }
}
