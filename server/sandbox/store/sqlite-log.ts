import { close, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import Database from 'libsql';
import { TerminalError } from '@/lib/errors/errors';
import type { LogContents, LogRecord, LogWrite, StoreLog } from './log';

/**
 * The format of `store.db`, version 1: the newest state of every object, and per resource the revision of its last
 * change. A transaction that has returned survives kill -9 of the process; when `sync` has resolved, power loss as well. SQLite
 * syncs by itself only around checkpoints (WAL with synchronous=NORMAL); the file of the WAL is synced here instead, beside
 * the event loop, so that requests are answered while the disk works.
 */
const SCHEMA = `
CREATE TABLE IF NOT EXISTS objects (
  resource TEXT NOT NULL, key TEXT NOT NULL, revision INTEGER NOT NULL, body TEXT NOT NULL,
  PRIMARY KEY (resource, key)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS resources (resource TEXT PRIMARY KEY, revision INTEGER NOT NULL) WITHOUT ROWID;
`;
const FORMAT = 1;

/** Opens or makes the log in a file. Throws a TerminalError when the file is of a newer format or damaged. */
export function openSqliteLog(path: string): StoreLog {
  const database = new Database(path);
  database.exec('PRAGMA journal_mode = WAL');
  database.exec('PRAGMA synchronous = NORMAL');
  checkFormat(database, path);
  database.exec(SCHEMA);
  database.exec(`PRAGMA user_version = ${FORMAT}`);
  const put = database.prepare('INSERT OR REPLACE INTO objects (resource, key, revision, body) VALUES (?, ?, ?, ?)');
  const remove = database.prepare('DELETE FROM objects WHERE resource = ? AND key = ?');
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const mark = database.prepare('INSERT OR REPLACE INTO resources (resource, revision) VALUES (?, ?)');

  // There from the first transaction on (the version above), and the same file for as long as the database is open.
  const wal = openSync(`${path}-wal`, 'r+');
  let syncing: Promise<void> = Promise.resolve();

  const write = (writes: readonly LogWrite[]): void => {
    const lastRevisions = new Map<string, number>();
    for (const each of writes) {
      if (each.body === undefined) remove.run(each.resource, each.key);
      else put.run(each.resource, each.key, each.revision, each.body);
      lastRevisions.set(each.resource, each.revision);
    }
    for (const [resource, revision] of lastRevisions) mark.run(resource, revision);
  };

  return {
    load: () => load(database),
    append(writes) {
      begin.run();
      try {
        write(writes);
        commit.run();
      } catch (error) {
        if (database.inTransaction) database.exec('ROLLBACK');
        throw error;
      }
    },
    sync() {
      syncing = syncFile(wal);
      return syncing;
    },
    // Brings the WAL into the database and syncs that.
    close: () => {
      database.close();
      const closeWal = () => close(wal);
      syncing.then(closeWal, closeWal);
    },
  };
}

const syncFile = promisify(fdatasync);

function checkFormat(database: Database.Database, path: string): void {
  const row = database.prepare('PRAGMA user_version').get() as { user_version?: number } | undefined;
  const format = row?.user_version ?? 0;
  if (format > FORMAT) {
    throw new TerminalError(
      `${path} was written by a newer version (format ${format}); use that version.`,
      'NewerFormat',
    );
  }
  const check = database.prepare('PRAGMA quick_check(1)').get() as { quick_check?: string } | undefined;
  if (check?.quick_check !== undefined && check.quick_check !== 'ok') {
    throw new TerminalError(
      `${path} is damaged (${check.quick_check}); restore it from a copy or move it away.`,
      'Damaged',
    );
  }
}

function load(database: Database.Database): LogContents {
  const rows = database.prepare('SELECT resource, key, revision, body FROM objects').all() as LogRecord[];
  const marks = database.prepare('SELECT resource, revision FROM resources').all() as {
    resource: string;
    revision: number;
  }[];
  const lastRevisionByResource = new Map(marks.map((row) => [row.resource, row.revision]));
  const revision = Math.max(0, ...lastRevisionByResource.values());
  return { revision, records: rows, lastRevisionByResource };
}
