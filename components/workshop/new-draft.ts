import { accountOfPage } from '@/components/live/account';
import { systemClock } from '@/lib/clock/clock';
import { TerminalError } from '@/lib/errors/errors';
import type { PackageFiles } from '@/lib/kudo/package/types';
import { limits } from '@/lib/limits/limits';
import { randomUuid, systemRandom } from '@/lib/random/random';
import { checkDraftSize, sortedFiles } from '@/lib/workshop/draft-files';
import { addDraft, type DraftOrigin, listDrafts } from './draft-db';

/**
 * Stores a draft of the account; its id.
 *
 * @throws TerminalError for a package that is too large, and when the account has too many drafts
 */
export async function newDraft(files: PackageFiles, origin?: DraftOrigin): Promise<string> {
  checkDraftSize(files);
  const account = accountOfPage();
  if ((await listDrafts(account)).length >= limits.workshop.drafts) {
    const message = `This browser has ${limits.workshop.drafts} drafts of yours already. Delete one to make another.`;
    throw new TerminalError(message, 'TooMany');
  }
  const now = systemClock.now();
  const id = randomUuid(systemRandom);
  await addDraft({
    ...{ id, account, files: sortedFiles(files), createdMs: now, changedMs: now, revision: 1 },
    ...(origin === undefined ? {} : { origin }),
  });
  return id;
}

/** The address of a draft in the workshop. */
export function draftPath(id: string): string {
  return `/workshop?draft=${encodeURIComponent(id)}`;
}
