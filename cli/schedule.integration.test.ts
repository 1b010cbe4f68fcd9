import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLAN_SCHEDULES } from '@/lib/kudo/schedules/plan-schedule';
import {
  createInstance,
  createNamespace,
  createOperator,
  type Engine,
  planEnds,
  startEngine,
} from '@/test/engine/https-engine';
import { done } from '@/test/operators/backup-operator';
import { plan } from '@/test/operators/templates';
import { runBravo } from '@/test/programs/run-bravo';

const NS = 'timed';

describe('the command line of schedules', () => {
  let engine: Engine;
  let folder: string;
  const bravo = (...words: string[]) =>
    runBravo('schedule', ...words, '-n', NS, '--kubeconfig', join(folder, 'kubeconfig'));
  const create = (...words: string[]) => bravo('create', 'nightly', '--instance', 'db', '--plan', 'backup', ...words);
  const stored = () => engine.api.get({ ...PLAN_SCHEDULES, namespace: NS, name: 'nightly' });

  beforeAll(async () => {
    engine = await startEngine();
    folder = await mkdtemp(join(tmpdir(), 'bravo-schedule-'));
    await writeFile(join(folder, 'kubeconfig'), engine.sandbox.kubeconfig);
    await createNamespace(engine.api, NS);
    const version = await createOperator(engine.api, NS, 'db', {
      tasks: [done],
      plans: { deploy: plan(['run', 'done']), backup: plan(['save', 'done']) },
    });
    await createInstance(engine.api, NS, 'db', version);
    await planEnds(engine.api, NS, 'db', { plan: 'deploy' });
  });
  afterAll(async () => {
    await engine?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it.each([
    [['--schedule', 'often'], 'The schedule "often" is no cron expression'],
    [['--schedule', '@daily', '--time-zone', 'Mars/Base'], 'The time zone "Mars/Base" does not exist'],
    [['--schedule', '@daily', '--concurrency', 'Allow'], '--concurrency must be Forbid or Wait'],
  ])('create refuses %j', async (words, message) => {
    const { err, code } = await create(...words);
    expect([code, err.includes(message)]).toEqual([255, true]);
    expect(await stored()).toBeUndefined();
  });

  it('creates, lists, shows, suspends, resumes and deletes a schedule', async () => {
    const made = await create('--schedule', '30 2 * * *', '--time-zone', 'Europe/Berlin', '--concurrency', 'Wait');
    expect(made).toMatchObject({ code: 0, out: `schedule ${NS}/nightly created\n` });
    expect((await stored())?.spec).toEqual({
      instanceName: 'db',
      plan: 'backup',
      schedule: '30 2 * * *',
      timeZone: 'Europe/Berlin',
      concurrencyPolicy: 'Wait',
    });
    expect((await bravo('list')).out).toMatch(/nightly\s+db\s+backup\s+30 2 \* \* \*\s+Europe\/Berlin/);
    expect((await bravo('list', '-o', 'name')).out).toBe('nightly\n');
    expect((await bravo('show', 'nightly')).out).toContain('it waits until the next slot');
    const next = (await bravo('next', 'nightly', '--count', '2')).out.trim().split('\n');
    expect(next).toHaveLength(2);
    expect(next[0]).toMatch(/^20\S+T0[01]:30:00Z\s+20\S+ 02:30/);
    await bravo('suspend', 'nightly');
    expect((await bravo('list')).out).toContain('suspended');
    expect((await bravo('next', 'nightly')).err).toContain('schedule nightly is suspended');
    await bravo('resume', 'nightly');
    expect((await bravo('next', 'nightly')).code).toBe(0);
    expect(await bravo('delete', 'nightly')).toMatchObject({ code: 0, out: `schedule ${NS}/nightly deleted\n` });
    expect((await bravo('show', 'nightly')).err).toContain(`schedule ${NS}/nightly does not exist`);
  });
});
