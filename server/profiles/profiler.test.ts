import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import type { LogFields } from '@/server/log/log';
import { temporaryFolder } from '@/test/programs/process';
import { MOST_PROFILES, Profiler } from './profiler';

function start() {
  const clock = new VirtualClock(Date.UTC(2026, 10, 28, 2, 30));
  const folder = join(temporaryFolder('profiles'), 'new');
  const lines: { event: string; fields: LogFields | undefined }[] = [];
  const note = (event: string, fields?: LogFields) => void lines.push({ event, fields });
  const log = { info: note, warn: note, error: note };
  const writeHeap = (path: string) => writeFileSync(path, 'heap');
  return { clock, folder, lines, profiler: new Profiler({ folder, part: 'console', clock, log, writeHeap }) };
}

/** Real files and V8's profiler answer in their own time; only the ten seconds are virtual. */
async function runToEnd({ clock, profiler }: ReturnType<typeof start>): Promise<void> {
  let isOver = false;
  const running = profiler.run().finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    if (clock.nextDueMs() !== undefined) clock.runNext();
  }
  await running;
}

it('writes a CPU profile and a heap snapshot that only the owner may read, and says that the latter has secrets', async () => {
  const at = start();
  await runToEnd(at);
  const names = readdirSync(at.folder).sort();
  const base = `console-20261128T023000Z-${process.pid}`;
  expect(names).toEqual([`${base}.cpuprofile`, `${base}.heapsnapshot`]);
  expect(statSync(at.folder).mode & 0o777).toBe(0o700);
  for (const name of names) expect(statSync(join(at.folder, name)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(join(at.folder, names[0] ?? ''), 'utf8'))).toHaveProperty('nodes');
  expect(at.lines.map(({ event }) => event)).toEqual(['profile.started', 'profile.written']);
  expect(at.lines[1]?.fields?.words).toContain('contains Secrets');
});

it('records one at a time', async () => {
  const at = start();
  const first = runToEnd(at);
  await at.profiler.run();
  await first;
  expect(at.lines.map(({ event }) => event)).toContain('profile.ignored');
  expect(readdirSync(at.folder)).toHaveLength(2);
});

it('keeps the newest ten files, and no file of others is removed', async () => {
  const at = start();
  mkdirSync(at.folder, { recursive: true });
  for (let day = 10; day < 22; day++)
    writeFileSync(join(at.folder, `controller-202611${day}T000000Z-7.cpuprofile`), '');
  writeFileSync(join(at.folder, 'notes.txt'), '');
  await runToEnd(at);
  const names = readdirSync(at.folder);
  expect(names).toContain('notes.txt');
  expect(names).toHaveLength(MOST_PROFILES + 1);
  expect(names).not.toContain('controller-20261110T000000Z-7.cpuprofile');
  expect(names).toContain('controller-20261121T000000Z-7.cpuprofile');
});

it('says why nothing could be written', async () => {
  const at = start();
  writeFileSync(at.folder, 'a file');
  await runToEnd(at);
  expect(at.lines.map(({ event }) => event)).toEqual(['profile.failed']);
});
