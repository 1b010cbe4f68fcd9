import { execFile } from 'node:child_process';
import { formatTime, parseTime } from '@/lib/clock/clock';
import type { PackageOrigin } from '@/lib/kudo/attestations/source';
import { sha256Hex } from './oci/digest';
import { readFolderBytes } from './read-folder';

/** Git answers in this time, or it is not asked any more. */
const GIT_MS = 5_000;

/** What the folder of a package is: the hash of its files, and the commit when it is in a git repository. */
export async function packageOrigin(folder: string): Promise<PackageOrigin> {
  const dirHash = hashOfFiles(await readFolderBytes(folder, () => true));
  const [commit = '', time = ''] = ((await git(folder, 'log', '-1', '--format=%H %cI')) ?? '').split(' ');
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit)) return { dirHash };
  const changes = await git(folder, 'status', '--porcelain', '--', '.');
  const remote = withoutCredentials((await git(folder, 'remote', 'get-url', 'origin')) ?? '');
  const isDirty = changes === undefined || changes !== '';
  return {
    dirHash,
    git: { commit, time: formatTime(parseTime(time) ?? 0), isDirty, ...(remote === '' ? {} : { remote }) },
  };
}

/** in-toto's `dirHash`: SHA-256 of what `sha256sum` prints of the files in the order of their names. */
export function hashOfFiles(files: ReadonlyMap<string, Uint8Array>): string {
  const lines = [...files]
    .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map(([name, bytes]) => `${sha256Hex(bytes)}  ${name}\n`);
  return sha256Hex(lines.join(''));
}

/** What git prints, without the last line break; undefined when it fails, or is not installed. */
function git(folder: string, ...words: string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile('git', ['-C', folder, ...words], { timeout: GIT_MS, maxBuffer: 1024 * 1024 }, (error, out) => {
      resolve(error === null ? out.trim() : undefined);
    });
  });
}

function withoutCredentials(remote: string): string {
  if (!URL.canParse(remote)) return /^[\w.-]+@[\w.-]+:[\w./~-]+$/.test(remote) ? remote : '';
  const url = new URL(remote);
  url.username = '';
  url.password = '';
  return url.protocol === 'file:' ? '' : url.href;
}
