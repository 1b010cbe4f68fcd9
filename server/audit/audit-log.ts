import { createReadStream } from 'node:fs';
import { appendFile, mkdir, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import type { AuditEntry } from '@/lib/audit/audit-entry';
import { arrayAt, numberAt, parseJsonObject, stringAt } from '@/lib/json/json';
import type { Log } from '@/server/log/log';

/** A file of the log; then it becomes `.1`, and an older `.1` is replaced. So the log takes twice as much at most. */
const MAX_FILE_BYTES = 10 * 1024 * 1024;
/** One line; a longer text (a name in a URL) is cut where it enters. */
const MAX_TEXT = 300;

/**
 * Who did what through the console, with which result: JSON lines in a file, readable by its owner alone, rotated by size. Lines are
 * written in their order, one write at a time; a line that cannot be written is reported in the log, and fails no request.
 */
export class AuditLog {
  private writes: Promise<void> = Promise.resolve();
  private sizeBytes: number | undefined;

  constructor(
    private readonly path: string,
    private readonly log: Log,
    private readonly maxFileBytes = MAX_FILE_BYTES,
  ) {}

  write(entry: AuditEntry): void {
    const line = `${JSON.stringify(entry, (_, value: unknown) => (typeof value === 'string' ? value.slice(0, MAX_TEXT) : value))}\n`;
    this.writes = this.writes
      .then(() => this.append(line))
      .catch((error: unknown) => {
        this.log.error('audit.not-written', { path: this.path, message: String(error) });
      });
  }

  /** Resolves when everything that was given before is in the file. */
  flush(): Promise<void> {
    return this.writes;
  }

  /**
   * The entries that are let through, the newest first.
   *
   * @param most older ones than these are left out
   */
  async read(isWanted: (entry: AuditEntry) => boolean | Promise<boolean>, most: number): Promise<AuditEntry[]> {
    await this.flush();
    const found: AuditEntry[] = [];
    for (const file of [`${this.path}.1`, this.path]) {
      for await (const entry of entriesOf(file)) {
        if (!(await isWanted(entry))) continue;
        found.push(entry);
        if (found.length >= 2 * most) found.splice(0, found.length - most);
      }
    }
    return found.slice(-most).reverse();
  }

  private async append(line: string): Promise<void> {
    this.sizeBytes ??= await this.begin();
    if (this.sizeBytes > 0 && this.sizeBytes + line.length > this.maxFileBytes) {
      await rename(this.path, `${this.path}.1`);
      this.sizeBytes = 0;
    }
    await appendFile(this.path, line, { mode: 0o600 });
    this.sizeBytes += Buffer.byteLength(line);
  }

  private async begin(): Promise<number> {
    await mkdir(dirname(this.path), { recursive: true });
    return sizeOf(this.path);
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
}

/** Lines that are no entry (cut at the end of a disk) are left out. */
async function* entriesOf(path: string): AsyncGenerator<AuditEntry> {
  if ((await sizeOf(path)) === 0) return;
  for await (const line of createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY })) {
    const entry = parseEntry(line);
    if (entry !== undefined) yield entry;
  }
}

function parseEntry(line: string): AuditEntry | undefined {
  const value = parseJsonObject(line);
  if (value === undefined) return undefined;
  const text = (key: string) => stringAt(value, key) ?? '';
  const [plan, reason, status] = [stringAt(value, 'plan'), stringAt(value, 'reason'), numberAt(value, 'status')];
  if (status === undefined || text('at') === '') return undefined;
  return {
    at: text('at'),
    user: text('user'),
    groups: arrayAt(value, 'groups').map(String),
    action: text('action'),
    namespace: text('namespace'),
    name: text('name'),
    ...(plan === undefined ? {} : { plan }),
    status,
    ...(reason === undefined ? {} : { reason }),
    requestId: text('requestId'),
  };
}
