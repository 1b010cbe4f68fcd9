import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INSTANCES, OPERATOR_VERSIONS } from '@/lib/kudo/crds/crds';
import type { Instance, OperatorVersionSpec, Plan } from '@/lib/kudo/types';
import {
  createInstance,
  createNamespace,
  createOperator,
  type Engine,
  planEnds,
  startEngine,
} from '@/test/engine/https-engine';
import { done } from '@/test/operators/backup-operator';
import { saying } from '@/test/operators/destructive-operator';
import { runBravo } from '@/test/programs/run-bravo';

const plan: Plan = {
  strategy: 'serial',
  phases: [{ name: 'main', strategy: 'serial', steps: [{ name: 'end', tasks: ['done'] }] }],
};
const operator: OperatorVersionSpec = {
  version: '1',
  parameters: [{ name: 'RESTORE_FROM', default: '', trigger: 'restore' }, { name: 'DELETE_BACKUP' }],
  tasks: [done],
  plans: { deploy: plan, restore: plan, 'delete-backup': plan },
};

describe('bravo backup restore and delete', () => {
  let engine: Engine;
  let folder: string;

  beforeAll(async () => {
    engine = await startEngine();
    await createNamespace(engine.api, 'lab');
    folder = await mkdtemp(join(tmpdir(), 'bravo-restore-'));
    await writeFile(join(folder, 'kubeconfig'), engine.sandbox.kubeconfig);
    process.env.KUBECONFIG = join(folder, 'kubeconfig');
    const version = await createOperator(engine.api, 'lab', 'op', operator);
    const annotations = saying({
      restore: { parameters: ['RESTORE_FROM'], destructive: true },
      'delete-backup': { parameters: ['DELETE_BACKUP'], destructive: true, backups: 'delete' },
    });
    const metadata = { annotations };
    await engine.api.patch({ ...OPERATOR_VERSIONS, namespace: 'lab', name: version }, 'merge', { metadata });
    await createInstance(engine.api, 'lab', 'db', version);
    await createInstance(engine.api, 'lab', 'plain', await createOperator(engine.api, 'lab', 'plain', { ...operator }));
    await planEnds(engine.api, 'lab', 'db', { plan: 'deploy' });
  });
  afterAll(async () => {
    delete process.env.KUBECONFIG;
    await engine?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const restore = (...words: string[]) => runBravo('backup', 'restore', ...words, '-n', 'lab');
  const source = async () =>
    ((await engine.api.get({ ...INSTANCES, namespace: 'lab', name: 'db' })) as Instance).spec?.parameters?.RESTORE_FROM;

  it('shows what it would do, asks for the confirmation of a destructive plan, and starts it with the name of the backup', async () => {
    expect(await restore('monday', '--instance', 'db', '--preview')).toMatchObject({
      err: '',
      out: expect.stringContaining('Plan restore'),
    });
    const refused = await restore('monday', '--instance', 'db');
    expect(refused.err).toContain('add --confirm restore/db');
    expect(await source()).toBeUndefined();
    const words = [
      '--instance',
      'db',
      '--confirm',
      'restore/db',
      '--reason',
      'ticket 9',
      '--wait',
      '--wait-time',
      '60',
    ];
    expect(await restore('monday', ...words)).toEqual({
      out: 'Plan restore of instance lab/db restores backup monday.\n',
      err: '',
      code: 0,
    });
    expect(await source()).toBe('monday');
    const { out } = await runBravo('run', 'show', 'db-restore-1', '-n', 'lab');
    expect(out).toContain('reason: ticket 9');
  });

  it('deletes one backup by the plan that does that, after a confirmation', async () => {
    const remove = (...words: string[]) =>
      runBravo('backup', 'delete', 'monday', '--instance', 'db', '-n', 'lab', ...words);
    expect((await remove('--preview')).out).toContain('Plan delete-backup');
    expect((await remove()).err).toContain('add --confirm delete-backup/db');
    expect(await remove('--yes', '--reason', 'ticket 10', '--wait', '--wait-time', '60')).toEqual({
      out: 'Plan delete-backup of instance lab/db deleted backup monday.\n',
      err: '',
      code: 0,
    });
    const { out } = await runBravo('run', 'show', 'db-delete-backup-1', '-n', 'lab');
    expect(out).toContain('reason: ticket 10');
    expect(out).toContain('DELETE_BACKUP');
  });

  it('says when an operator has no plan that asks for a backup, and when no instance is named', async () => {
    expect((await restore('monday', '--instance', 'plain')).err).toContain(
      'no plan that asks for the name of a backup',
    );
    const remove = await runBravo('backup', 'delete', 'monday', '--instance', 'plain', '-n', 'lab', '--yes');
    expect(remove.err).toContain('no plan that deletes one backup');
    expect((await restore('monday')).err).toContain('--instance=<instanceName>');
    expect((await restore('monday', '--instance', 'none')).code).not.toBe(0);
  });
});
