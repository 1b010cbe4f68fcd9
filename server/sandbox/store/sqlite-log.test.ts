import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockFolder } from './folder-lock';
import { openSqliteLog } from './sqlite-log';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bravo-store-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('the log on disk', () => {
  it('gives back the newest state of every object after a reopen', () => {
    const path = join(folder, 'store.db');
    const log = openSqliteLog(path);
    log.append([
      { resource: 'configmaps', key: 'a/x', revision: 2, body: '{"v":1}' },
      { resource: 'configmaps', key: 'a/y', revision: 3, body: '{"v":1}' },
    ]);
    log.append([
      { resource: 'configmaps', key: 'a/x', revision: 4, body: '{"v":2}' },
      { resource: 'configmaps', key: 'a/y', revision: 5, body: undefined },
    ]);
    log.close();
    const reopened = openSqliteLog(path);
    expect(reopened.load()).toEqual({
      revision: 5,
      records: [{ resource: 'configmaps', key: 'a/x', revision: 4, body: '{"v":2}' }],
      lastRevisionByResource: new Map([['configmaps', 5]]),
    });
    reopened.close();
  });

  it('syncs what was appended, and closes while a sync is under way', async () => {
    const path = join(folder, 'store.db');
    const log = openSqliteLog(path);
    log.append([{ resource: 'a', key: 'x', revision: 2, body: '{}' }]);
    await log.sync?.();
    log.append([{ resource: 'a', key: 'y', revision: 3, body: '{}' }]);
    const syncing = log.sync?.();
    log.close();
    await syncing;
    const reopened = openSqliteLog(path);
    expect(reopened.load().records.map(({ key }) => key)).toEqual(['x', 'y']);
    reopened.close();
  });

  it('never counts a revision twice, also when the last write was a deletion', () => {
    const path = join(folder, 'store.db');
    const log = openSqliteLog(path);
    log.append([{ resource: 'a', key: 'x', revision: 9, body: undefined }]);
    log.close();
    const reopened = openSqliteLog(path);
    expect(reopened.load().revision).toBe(9);
    reopened.close();
  });
});

describe('the lock of a data folder', () => {
  it('keeps a second sandbox out until it is freed', () => {
    const free = lockFolder(folder);
    expect(() => lockFolder(folder)).toThrow(/in use by another Bravo process/);
    free();
    lockFolder(folder)();
  });
});
