import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runQueueOf } from '@/lib/kudo/queue/run-queue';
import type { OperatorVersionSpec } from '@/lib/kudo/types';
import {
  createInstance,
  createNamespace,
  createOperator,
  type Engine,
  eventually,
  getInstance,
  planEnds,
  startEngine,
} from '@/test/engine/https-engine';
import { done, never } from '@/test/operators/backup-operator';
import { plan } from '@/test/operators/templates';
import { runBravo as bravo } from '@/test/programs/run-bravo';

const operator: OperatorVersionSpec = {
  version: '1',
  parameters: [
    { name: 'A', default: 'a', trigger: 'deploy' },
    { name: 'B', default: 'b', trigger: 'backup' },
  ],
  tasks: [never, done],
  plans: { deploy: plan(['run', 'done']), backup: plan(['save', 'done']), long: plan(['wait', 'never']) },
};

describe('the command line of the queue', () => {
  let engine: Engine;
  let folder: string;
  const queue = (...words: string[]) => bravo('run', 'queue', ...words, '--instance', 'db', '-n', 'lab');
  const waiting = async () => {
    const instance = await getInstance(engine.api, 'lab', 'db');
    return instance === undefined ? [] : runQueueOf(instance).entries.map((entry) => entry.plan);
  };
  const trigger = (name: string) => bravo('plan', 'trigger', '--name', name, '--instance', 'db', '-n', 'lab');

  beforeAll(async () => {
    engine = await startEngine();
    await createNamespace(engine.api, 'lab');
    folder = await mkdtemp(join(tmpdir(), 'bravo-queue-'));
    await writeFile(join(folder, 'kubeconfig'), engine.sandbox.kubeconfig);
    process.env.KUBECONFIG = join(folder, 'kubeconfig');
    await createInstance(engine.api, 'lab', 'db', await createOperator(engine.api, 'lab', 'op', operator));
    await planEnds(engine.api, 'lab', 'db', { plan: 'deploy' });
  });
  afterAll(async () => {
    delete process.env.KUBECONFIG;
    await engine?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('says that an edit or a plan waits, lists what does, moves it and takes it off', async () => {
    expect((await queue('list')).out).toBe('No run waits in the queue of instance db.\n');
    await trigger('long');
    const isRunning = async () =>
      (await getInstance(engine.api, 'lab', 'db'))?.status?.planStatus?.long?.status === 'IN_PROGRESS';
    await eventually('plan long runs', isRunning);
    expect((await trigger('deploy')).out).toBe('Plan deploy waits in the queue of lab/db instance\n');
    await eventually('plan deploy waits', async () => (await waiting()).length === 1);
    const update = await bravo('update', '--instance', 'db', '-p', 'B=2', '-n', 'lab');
    expect(update.out).toBe('Instance db was updated. Plan backup waits in the queue.\n');
    await eventually('plan backup waits', async () => (await waiting()).length === 2);
    const { out } = await queue('list');
    expect(out).toMatch(
      /^PLACE\s+PLAN\s+WHY\s+WHO\s+SINCE\s+REASON\n1\s+deploy\s+Manual\s.*\n2\s+backup\s+Parameters\s/,
    );
    expect(out).toContain('The first one starts when plan long is complete.');
    expect((await queue('move', '--plan', 'backup', '--to', '1')).code).toBe(0);
    expect(await waiting()).toEqual(['backup', 'deploy']);
    expect((await queue('remove', '--plan', 'deploy')).out).toBe('Plan deploy of instance lab/db is off the queue.\n');
    expect(await waiting()).toEqual(['backup']);
    const unknown = await queue('remove', '--plan', 'zip');
    expect([unknown.code, unknown.err]).toEqual([255, expect.stringContaining('these wait: backup')]);
    const early = await queue('resume');
    expect(early.err).toContain('plan long of instance lab/db is under way; the queue follows it');
  });

  it('starts the first run although the one before it was cancelled', async () => {
    await queue('remove', '--plan', 'backup');
    await trigger('deploy');
    await eventually('plan deploy waits', async () => (await waiting()).length === 1);
    const before = (await getInstance(engine.api, 'lab', 'db'))?.status?.planStatus?.deploy?.uid;
    await bravo('run', 'cancel', '--instance', 'db', '-n', 'lab', '--yes');
    await planEnds(engine.api, 'lab', 'db', { plan: 'long', status: 'FATAL_ERROR' });
    expect((await queue('list')).out).toContain('The queue is held because plan long failed.');
    expect((await queue('resume')).out).toBe('Plan deploy of instance lab/db starts.\n');
    await planEnds(engine.api, 'lab', 'db', { plan: 'deploy', notUid: before });
    expect(await waiting()).toEqual([]);
  });
});
