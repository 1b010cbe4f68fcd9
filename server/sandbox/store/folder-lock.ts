import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TerminalError } from '@/lib/errors/errors';

interface Holder {
  readonly pid: number;
  /** What the system says of the process' start, so that a reused pid is not mistaken for the holder. */
  readonly startTime: string;
}

/**
 * Takes a data folder for this process by the file `lock` (JSON of pid and start time). A lock whose process has ended is
 * taken over. Throws a TerminalError when another process, or another sandbox of this one, holds it. The result frees it.
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, 'lock');
  for (let attempt = 0; attempt < 3; attempt++) {
    if (create(path)) return () => remove(path);
    const holder = readHolder(path);
    if (holder !== undefined && isAlive(holder)) {
      throw new TerminalError(
        `The data folder ${folder} is in use by another Bravo process (pid ${holder.pid}); stop it, or choose another folder.`,
        'FolderInUse',
      );
    }
    remove(path);
  }
  throw new TerminalError(`The lock ${path} cannot be taken; remove it when no Bravo process runs.`, 'FolderInUse');
}

/** The lock comes into being with its content, by a hard link: no process sees half a lock. */
function create(path: string): boolean {
  const holder: Holder = { pid: process.pid, startTime: startTimeOf(process.pid) ?? '' };
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(holder), { mode: 0o600 });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    remove(draft);
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error;
  }
}

function readHolder(path: string): Holder | undefined {
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof parsed !== 'object' || parsed === null || !('pid' in parsed)) return undefined;
    const startTime = 'startTime' in parsed ? String(parsed.startTime) : '';
    return typeof parsed.pid === 'number' ? { pid: parsed.pid, startTime } : undefined;
  } catch {
    // Half written by a process that was killed, or deleted meanwhile: no process holds it.
    return undefined;
  }
}

function isAlive(holder: Holder): boolean {
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if (!isCode(error, 'EPERM')) return false;
  }
  const startTime = startTimeOf(holder.pid);
  return startTime === undefined || holder.startTime === '' || startTime === holder.startTime;
}

/** Field 22 of /proc/PID/stat; undefined where there is no /proc. */
function startTimeOf(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
