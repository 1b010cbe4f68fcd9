import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AuditEntry } from '@/lib/audit/audit-entry';
import { silentLog } from '@/server/log/log';
import { AuditLog } from './audit-log';

const entry = (name: string, namespace = 'demo'): AuditEntry => ({
  at: '2026-01-01T00:00:00Z',
  user: 'jo',
  groups: ['dev'],
  action: 'start plan',
  namespace,
  name,
  status: 202,
  requestId: name,
});

describe('AuditLog', () => {
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'audit-'));
    path = join(folder, 'logs', 'audit.jsonl');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('writes one JSON line an entry, in a file that only its owner reads', async () => {
    const log = new AuditLog(path, silentLog);
    log.write(entry('a'));
    log.write(entry('b'));
    await log.flush();
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual([entry('a'), entry('b')]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('reads the newest entries first, also those from before a restart and a rotation', async () => {
    const first = new AuditLog(path, silentLog, 400);
    for (const name of ['a', 'b', 'c']) first.write(entry(name));
    await first.flush();
    const second = new AuditLog(path, silentLog, 400);
    second.write(entry('d'));
    const read = await second.read(() => true, 10);
    expect(read.map(({ name }) => name)).toEqual(['d', 'c', 'b', 'a']);
  });

  it('takes two files of its size at most', async () => {
    const log = new AuditLog(path, silentLog, 400);
    for (let index = 0; index < 50; index++) log.write(entry(`n-${index}`));
    await log.flush();
    expect((await stat(path)).size).toBeLessThanOrEqual(400);
    expect((await stat(`${path}.1`)).size).toBeLessThanOrEqual(400);
  });

  it('leaves out what the reader may not see, and lines that are no entries', async () => {
    const log = new AuditLog(path, silentLog);
    log.write(entry('a'));
    log.write(entry('b', 'shop'));
    await log.flush();
    await writeFile(path, '{"at": "cut\n', { flag: 'a' });
    const read = await log.read(({ namespace }) => namespace === 'shop', 10);
    expect(read.map(({ name }) => name)).toEqual(['b']);
  });

  it('fails no request when the file cannot be written', async () => {
    const log = new AuditLog('/proc/no/such/place', silentLog);
    log.write(entry('a'));
    await expect(log.flush()).resolves.toBeUndefined();
  });
});
