import { appendFile, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { auditEntry } from '@/lib/audit/audit-fixture';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import type { AuditSettings } from '@/server/config/audit';
import { silentLog } from '@/server/log/log';
import { AuditLog } from './audit-log';

const DAY_MS = 86_400_000;

describe('AuditLog', () => {
  let parent: string;
  let settings: AuditSettings;
  let clock: VirtualClock;
  let printed: string[];
  let problems: string[];
  const log = {
    ...silentLog,
    error: (_: string, fields = {}) => void problems.push(JSON.stringify(fields)),
  };

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'audit-'));
    settings = { mode: 'file', folder: join(parent, 'data', 'audit'), maxBytes: 1_000_000, maxAgeMs: 90 * DAY_MS };
    clock = new VirtualClock(Date.parse('2026-11-28T12:00:00Z'));
    printed = [];
    problems = [];
  });
  afterEach(() => rm(parent, { recursive: true }));

  const open = async (changes: Partial<AuditSettings> = {}, print = (line: string) => void printed.push(line)) => {
    const opened = new AuditLog({ settings: { ...settings, ...changes }, clock, log, print });
    await opened.load();
    return opened;
  };
  const names = (from: AuditLog) => [...from.newestFirst()].map(({ object }) => object.name);
  const files = async () => (await readdir(settings.folder)).sort();

  it('writes one JSON line an entry, in a file that its owner alone reads', async () => {
    const audit = await open();
    audit.write(auditEntry({ name: 'a' }));
    audit.write(auditEntry({ name: 'b' }));
    await audit.flush();
    const path = join(settings.folder, 'audit.jsonl');
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual([auditEntry({ name: 'a' }), auditEntry({ name: 'b' })]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(settings.folder)).mode & 0o777).toBe(0o700);
  });

  it('has the entries of earlier processes, the newest first', async () => {
    const first = await open({ maxBytes: 10_000 });
    for (const name of ['a', 'b', 'c', 'd']) {
      first.write(auditEntry({ name }));
      await first.flush();
    }
    expect((await files()).length).toBeGreaterThan(1);
    const second = await open({ maxBytes: 10_000 });
    second.write(auditEntry({ name: 'e' }));
    expect(names(second)).toEqual(['e', 'd', 'c', 'b', 'a']);
    await second.flush();
  });

  it('skips a line that was torn when the power went, and joins nothing to it', async () => {
    const first = await open();
    first.write(auditEntry({ name: 'a' }));
    await first.flush();
    await appendFile(join(settings.folder, 'audit.jsonl'), '{"time":"2026-11-28T12:0');
    const second = await open();
    second.write(auditEntry({ name: 'b' }));
    await second.flush();
    expect(names(await open())).toEqual(['b', 'a']);
  });

  it('takes no more room than it may', async () => {
    const audit = await open({ maxBytes: 20_000 });
    for (let index = 0; index < 200; index++) {
      audit.write(auditEntry({ name: `n-${index}` }));
      await audit.flush();
      await clock.advance(1_000);
    }
    const sizes = await Promise.all(
      (await files()).map(async (name) => (await stat(join(settings.folder, name))).size),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(20_000);
    expect(names(await open({ maxBytes: 20_000 }))[0]).toBe('n-199');
  });

  it('begins a file each day, and deletes those that are too old', async () => {
    const audit = await open({ maxAgeMs: 3 * DAY_MS });
    for (let day = 0; day < 8; day++) {
      audit.write(auditEntry({ name: `day-${day}` }));
      await audit.flush();
      await clock.advance(DAY_MS);
    }
    expect(names(await open())).toEqual(['day-7', 'day-6', 'day-5', 'day-4']);
  });

  it('fails no request when it cannot be written, says so once, and counts what is lost', async () => {
    const audit = await open({ folder: '/proc/no/such/place' });
    audit.write(auditEntry({ name: 'a' }));
    await audit.flush();
    audit.write(auditEntry({ name: 'b' }));
    await audit.flush();
    expect(problems).toHaveLength(1);
    expect(audit.state).toMatchObject({ lost: 2, mode: 'file' });
    expect(audit.state.problem).toContain('/proc/no');
    expect(names(audit)).toEqual(['b', 'a']);
  });

  it('prints marked lines with BRAVO_AUDIT=stdout, and keeps entries in memory for the page', async () => {
    const audit = await open({ mode: 'stdout' });
    audit.write(auditEntry({ name: 'a' }));
    expect(printed.map((line) => JSON.parse(line))).toEqual([{ audit: true, ...auditEntry({ name: 'a' }) }]);
    expect(names(audit)).toEqual(['a']);
  });

  it('reports that nobody reads standard output any more', async () => {
    const audit = await open({ mode: 'stdout' }, () => {
      throw new Error('nobody reads');
    });
    audit.write(auditEntry({ name: 'a' }));
    expect(audit.state).toMatchObject({ lost: 1, problem: 'nobody reads' });
  });

  it('has nothing with BRAVO_AUDIT=off', async () => {
    const audit = await open({ mode: 'off' });
    audit.write(auditEntry({ name: 'a' }));
    expect(names(audit)).toEqual([]);
  });

  it('keeps the newest 50,000 entries in memory', async () => {
    const audit = await open({ mode: 'stdout' }, () => {});
    for (let index = 0; index < 56_000; index++) audit.write(auditEntry({ name: `n-${index}` }));
    const kept = names(audit);
    expect(kept.length).toBeGreaterThanOrEqual(50_000);
    expect(kept.length).toBeLessThanOrEqual(55_000);
    expect(kept[0]).toBe('n-55999');
  });
});
