import { type FSWatcher, watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Clock, sleep } from '@/lib/clock/clock';

/** Editors write a file in several steps. */
const SETTLE_MS = 200;

/** Watches files and folders, with everything below them. */
export class FileWatcher {
  private readonly changed = new Set<string>();
  private readonly watchers: FSWatcher[];
  private announce: (() => void) | undefined;

  constructor(
    paths: readonly string[],
    private readonly clock: Clock,
  ) {
    this.watchers = paths.map((path) => {
      const watcher = watch(path, { recursive: true }, (_event, file) => {
        this.changed.add(file === null ? path : join(path, file));
        this.announce?.();
      });
      // A folder that was deleted ends its watch, not the program.
      watcher.on('error', () => watcher.close());
      return watcher;
    });
  }

  /** What changed since the last call. */
  take(): ReadonlySet<string> {
    const taken = new Set(this.changed);
    this.changed.clear();
    return taken;
  }

  /** Resolves a moment after the next change. @throws the signal's reason */
  async next(signal: AbortSignal): Promise<void> {
    if (this.changed.size === 0) {
      await new Promise<void>((resolve, reject) => {
        this.announce = resolve;
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        if (signal.aborted) reject(signal.reason);
      });
      this.announce = undefined;
    }
    await sleep(this.clock, SETTLE_MS, signal);
  }

  close(): void {
    for (const watcher of this.watchers) watcher.close();
  }
}

/** A test directory, and the folder that it is in when packages are there too. */
export async function watchedFolders(testDirectory: string): Promise<string[]> {
  const parent = dirname(testDirectory);
  return (await hasPackage(parent, 2)) ? [parent] : [testDirectory];
}

async function hasPackage(folder: string, depth: number): Promise<boolean> {
  if (await isFile(join(folder, 'operator.yaml'))) return true;
  if (depth === 0) return false;
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const isSkipped = entry.name === 'node_modules' || entry.name.startsWith('.');
    if (entry.isDirectory() && !isSkipped && (await hasPackage(join(folder, entry.name), depth - 1))) return true;
  }
  return false;
}

function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
