import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isGuidePage } from '@/lib/guide/pages';
import { projectRoot } from '@/server/runtime/root';

/** A line that is only a picture: pictures of the guide are not in an image of Bravo. */
const PICTURE = /^!\[.*\)$/gm;

/** A page of the guide as Markdown, without its pictures; undefined for one that does not exist. Only pages of the list are read. */
export async function readGuide(page: string): Promise<string | undefined> {
  if (!isGuidePage(page)) return undefined;
  try {
    const text = await readFile(join(projectRoot, 'docs/guide', `${page}.md`), 'utf8');
    return text.replace(PICTURE, '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
