import type { ActivityEntry } from '@/lib/audit/activity';
import { type AuditEntry, formatAuditLine, parseAuditLine } from '@/lib/audit/audit-entry';
import { messageOf } from '@/lib/errors/errors';
import type { AuditLogStatus } from '@/lib/status/product-status';
import type { AuditSettings } from '@/server/config/audit';
import type { Log } from '@/server/log/log';
import { AuditFile } from './audit-file';

/** So many entries are kept in memory for the page: about 40 MB at most. */
const KEPT = 50_000;
/** When the oldest are taken out of memory, a tenth goes at once. */
const KEPT_AT_MOST = KEPT * 1.1;
/** Lines that wait for a slow disk; more are lost, and counted. */
const MOST_WAITING = 10_000;

export interface AuditLogOptions {
  readonly settings: AuditSettings;
  readonly clock: { now(): number };
  readonly log: Log;
  /** Standard output, with BRAVO_AUDIT=stdout. @throws when nobody reads it any more */
  readonly print: (line: string) => void;
}

/**
 * Who did what through this console, with which result. `write` never waits and never fails: a disk that is full must not stop people from
 * working (docs/decisions/082). What is lost is counted, and reported once until a line can be written again.
 */
export class AuditLog {
  /** The oldest first. */
  private entries: ActivityEntry[] = [];
  /** Grows with every entry: who has read up to here knows whether there is more. */
  version = 0;
  private readonly file: AuditFile | undefined;
  private waiting: string[] = [];
  private writing: Promise<void> | undefined;
  private lost = 0;
  private problem: string | undefined;

  constructor(private readonly options: AuditLogOptions) {
    this.file = options.settings.mode === 'file' ? new AuditFile(options.settings) : undefined;
  }

  /** Reads what earlier processes wrote, the newest entries that memory has room for. Never rejects. */
  async load(): Promise<void> {
    if (this.file === undefined) return;
    const texts: ActivityEntry[][] = [];
    let count = 0;
    for await (const text of this.file.readNewestFirst()) {
      const entries = text.split('\n').flatMap((line) => listed(parseAuditLine(line)));
      texts.unshift(entries);
      count += entries.length;
      if (count >= KEPT) break;
    }
    this.entries = [...texts.flat(), ...this.entries].slice(-KEPT);
    this.version += 1;
  }

  write(entry: AuditEntry): void {
    const { mode } = this.options.settings;
    if (mode === 'off') return;
    this.entries.push(...listed(entry));
    if (this.entries.length > KEPT_AT_MOST) this.entries = this.entries.slice(-KEPT);
    this.version += 1;
    if (mode === 'stdout') this.print(entry);
    else if (this.waiting.length >= MOST_WAITING) this.fail(1, 'the disk is too slow');
    else {
      this.waiting.push(formatAuditLine(entry));
      this.writing ??= this.writeWaiting().finally(() => {
        this.writing = undefined;
      });
    }
  }

  /** The entries in memory, the newest first. */
  *newestFirst(): Generator<ActivityEntry> {
    const { entries } = this;
    for (let index = entries.length - 1; index >= 0; index--) {
      const entry = entries[index];
      if (entry !== undefined) yield entry;
    }
  }

  get state(): AuditLogStatus {
    const { mode, folder } = this.options.settings;
    return { mode, folder: mode === 'file' ? folder : undefined, lost: this.lost, problem: this.problem };
  }

  /** Resolves when everything that was given before is written, or lost. */
  async flush(): Promise<void> {
    while (this.writing !== undefined) await this.writing;
  }

  private async writeWaiting(): Promise<void> {
    while (this.waiting.length > 0) {
      const lines = this.waiting;
      this.waiting = [];
      try {
        await this.file?.append(lines.join(''), this.options.clock.now());
        this.recover();
      } catch (error) {
        this.fail(lines.length, messageOf(error));
      }
    }
  }

  private print(entry: AuditEntry): void {
    try {
      this.options.print(formatAuditLine(entry, { audit: true }));
      this.recover();
    } catch (error) {
      this.fail(1, messageOf(error));
    }
  }

  private fail(lost: number, problem: string): void {
    this.lost += lost;
    if (this.problem === undefined) {
      this.options.log.error('audit.not-written', {
        problem,
        advice: 'Entries of the audit log are lost until this is fixed.',
      });
    }
    this.problem = problem;
  }

  private recover(): void {
    if (this.problem === undefined) return;
    this.problem = undefined;
    this.options.log.warn('audit.written-again', { lost: this.lost });
  }
}

function listed(entry: AuditEntry | undefined): ActivityEntry[] {
  return entry === undefined ? [] : [{ ...entry, source: 'console' }];
}
