import { constants } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { formatMicroTime, parseTime } from '@/lib/clock/clock';

export interface AuditFileOptions {
  readonly folder: string;
  /** All files together. */
  readonly maxBytes: number;
  readonly maxAgeMs: number;
}

const CURRENT = 'audit.jsonl';
const ROTATED = /^audit-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})(\d{3})\d*Z\.jsonl$/;
/** A file has a tenth of all that is kept, so that a rotation takes away a tenth at most. */
const FILES = 10;
const DAY_MS = 86_400_000;

/**
 * JSON lines in files that their owner alone reads. The current one becomes `audit-TIME.jsonl` when it is large or of another day; the oldest
 * are deleted when they are too old, or all together too large. Calls come one at a time (server/audit/audit-log).
 */
export class AuditFile {
  private sizeBytes: number | undefined;
  private day = 0;
  /** After a failed write, or a crash, the last line may be torn: the next one must not be joined to it. */
  private isTorn = false;

  constructor(private readonly options: AuditFileOptions) {}

  /** @throws the errors of the file system; then none or a part of the lines was written */
  async append(lines: string, nowMs: number): Promise<void> {
    const bytes = Buffer.byteLength(lines);
    const size = this.sizeBytes ?? (await this.begin(nowMs));
    const isLarge = size + bytes > this.options.maxBytes / FILES;
    if (size > 0 && (isLarge || Math.floor(nowMs / DAY_MS) !== this.day)) await this.rotate(nowMs);
    const text = this.isTorn ? `\n${lines}` : lines;
    this.isTorn = true;
    const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW } = constants;
    const file = await open(join(this.options.folder, CURRENT), O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600);
    try {
      await file.writeFile(text);
    } finally {
      await file.close();
    }
    this.isTorn = false;
    this.sizeBytes = (this.sizeBytes ?? 0) + bytes;
  }

  /** The texts of all files, the newest file first. */
  async *readNewestFirst(): AsyncGenerator<string> {
    const names = [CURRENT, ...(await this.rotated()).reverse()];
    for (const name of names) yield await readFile(join(this.options.folder, name), 'utf8').catch(() => '');
  }

  private async begin(nowMs: number): Promise<number> {
    const { folder } = this.options;
    await makeFolder(folder);
    const found = await stat(join(folder, CURRENT)).catch(() => undefined);
    this.sizeBytes = found?.size ?? 0;
    this.day = Math.floor((found?.mtimeMs ?? nowMs) / DAY_MS);
    this.isTorn = found !== undefined && !(await endsWithLineFeed(join(folder, CURRENT), found.size));
    await this.prune(nowMs);
    return this.sizeBytes;
  }

  private async rotate(nowMs: number): Promise<void> {
    const { folder } = this.options;
    const name = nameAfter(await this.rotated(), nowMs);
    await rename(join(folder, CURRENT), join(folder, name));
    this.sizeBytes = 0;
    this.day = Math.floor(nowMs / DAY_MS);
    this.isTorn = false;
    await this.prune(nowMs);
  }

  /** Deletes what is too old, and the oldest until there is room for a whole current file. */
  private async prune(nowMs: number): Promise<void> {
    const { folder, maxBytes, maxAgeMs } = this.options;
    let room = maxBytes - maxBytes / FILES;
    for (const name of (await this.rotated()).reverse()) {
      const path = join(folder, name);
      room -= (await stat(path).catch(() => undefined))?.size ?? 0;
      if (room < 0 || nowMs - rotatedAtMs(name) >= maxAgeMs) await unlink(path);
    }
  }

  /** The oldest first. */
  private async rotated(): Promise<string[]> {
    const names = await readdir(this.options.folder).catch(() => []);
    return names.filter((name) => ROTATED.test(name)).sort();
  }
}

/** Milliseconds, and a number for those of the same one: names are in the order of time. */
function nameAfter(taken: readonly string[], nowMs: number): string {
  const begin = `audit-${formatMicroTime(nowMs).replace(/[-:.]/g, '').slice(0, -4)}`;
  const same = taken.filter((name) => name.startsWith(begin)).length;
  return `${begin}${String(same).padStart(3, '0')}Z.jsonl`;
}

function rotatedAtMs(name: string): number {
  return parseTime(name.replace(ROTATED, '$1-$2-$3T$4:$5:$6.$7Z')) ?? 0;
}

async function endsWithLineFeed(path: string, size: number): Promise<boolean> {
  if (size === 0) return true;
  const file = await open(path, 'r');
  try {
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
    return buffer[0] === 0x0a;
  } finally {
    await file.close();
  }
}

/** `mkdir` with `recursive` never ends where a parent cannot be created, as below /proc. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await mkdir(path, { mode: 0o700 });
  }
}
