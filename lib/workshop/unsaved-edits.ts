import type { PackageFiles } from '@/lib/kudo/package/types';
import { sortedFiles } from './draft-files';

/** What a tab had not stored of a draft when it was left. It is stored as JSON text. */
export interface UnsavedEdits {
  /** Whose draft it is: the name of the account; empty without sign-in. */
  readonly account: string;
  /** The tab that was left. */
  readonly tab: string;
  /** The last revision that this tab knew to be stored. */
  readonly revision: number;
  /** Path → text of each file that may differ from what is stored; null for a deleted file. */
  readonly files: { readonly [path: string]: string | null };
}

/** What a stored draft must be known by to take edits over. */
export interface StoredState {
  readonly account: string;
  readonly files: PackageFiles;
  readonly revision: number;
  /** The tab that stored this revision. */
  readonly savedBy?: string;
}

/** The files of `now` that differ from any of `stored`: the stored ones, and those of a write of which nobody knows whether it ended. */
export function editsSince(now: PackageFiles, stored: readonly PackageFiles[]): UnsavedEdits['files'] {
  const paths = new Set([now, ...stored].flatMap((files) => [...files.keys()]));
  const changed = [...paths].filter((path) => stored.some((files) => files.get(path) !== now.get(path)));
  return Object.fromEntries(changed.map((path) => [path, now.get(path) ?? null]));
}

/**
 * Takes over what a tab left behind.
 *
 * @returns the files of the draft with the edits, and whether another tab has changed the draft since; undefined when nothing is to take
 */
export function withUnsavedEdits(
  draft: StoredState,
  edits: UnsavedEdits | undefined,
): { readonly files: PackageFiles; readonly isConflict: boolean } | undefined {
  if (edits === undefined || edits.account !== draft.account) return undefined;
  const files = new Map(draft.files);
  for (const [path, text] of Object.entries(edits.files)) {
    if (text === null) files.delete(path);
    else files.set(path, text);
  }
  if (Object.keys(editsSince(files, [draft.files])).length === 0) return undefined;
  // The write that ran while the tab was left may have ended: it is the next revision, and of that tab.
  const isOwn = draft.revision === edits.revision + 1 && draft.savedBy === edits.tab;
  return { files: sortedFiles(files), isConflict: draft.revision !== edits.revision && !isOwn };
}

/** Reads stored text; undefined when it is none of ours. */
export function parseUnsavedEdits(text: string | null): UnsavedEdits | undefined {
  if (text === null) return undefined;
  try {
    const { account, tab, revision, files } = JSON.parse(text) as Partial<UnsavedEdits>;
    if (typeof account !== 'string' || typeof tab !== 'string' || typeof revision !== 'number') return undefined;
    if (typeof files !== 'object' || files === null) return undefined;
    if (!Object.values(files).every((file) => file === null || typeof file === 'string')) return undefined;
    return { account, tab, revision, files };
  } catch {
    return undefined;
  }
}
