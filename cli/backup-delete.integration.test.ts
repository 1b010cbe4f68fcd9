import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNamespace, type Engine, startEngine } from '@/test/engine/https-engine';
import { runBravo } from '@/test/programs/run-bravo';

/** Simulated pods run the scripts that real ones run (e2e/real), on volumes of their own. */
describe('bravo backup delete, with the bundled operators', () => {
  let engine: Engine;
  let folder: string;

  beforeAll(async () => {
    engine = await startEngine();
    await createNamespace(engine.api, 'lab');
    folder = await mkdtemp(join(tmpdir(), 'bravo-delete-'));
    await writeFile(join(folder, 'kubeconfig'), engine.sandbox.kubeconfig);
    process.env.KUBECONFIG = join(folder, 'kubeconfig');
  });
  afterAll(async () => {
    delete process.env.KUBECONFIG;
    await engine?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const bravo = (...words: string[]) => runBravo(...words, '-n', 'lab');
  const wait = ['--wait', '--wait-time', '60'];

  it.each(['etcd', 'postgres', 'rabbitmq'])(
    'deletes one of two backups of %s, and not the last one',
    async (operator) => {
      const onInstance = ['--instance', operator];
      const list = async () => (await bravo('backup', 'list', ...onInstance, '-o', 'name')).out.trim().split('\n');
      const backUp = () => bravo('plan', 'trigger', '--name', 'backup', ...onInstance, ...wait);
      const remove = (name: string) => bravo('backup', 'delete', name, ...onInstance, '--yes', ...wait);
      const refused = async (name: string, why: string) => {
        expect(await remove(name)).toMatchObject({ out: '', err: expect.stringContaining('exit code 42') });
        const run =
          (await bravo('run', 'list', ...onInstance, '-o', 'name')).out.split('\n')[0]?.split('/').at(-1) ?? '';
        expect((await bravo('run', 'explain', run)).out).toContain(why);
      };
      expect(await bravo('install', `operators/${operator}/1.1.0`, ...onInstance, ...wait)).toMatchObject({ err: '' });
      // A backup has its second as its name: a fast machine makes two that are one.
      while ((await list()).filter((name) => name !== '').length < 2) expect(await backUp()).toMatchObject({ err: '' });
      const [newer = '', older = '', ...others] = await list();
      expect([older < newer, others]).toEqual([true, []]);
      await refused(`../backups/${older}`, 'is not the name of a backup');
      expect(await remove(older)).toMatchObject({ out: expect.stringContaining(`deleted backup ${older}`), err: '' });
      expect(await list()).toEqual([newer]);
      // The marker says that it was deleted, as it does to the pod that follows one that was killed.
      expect(await remove(older)).toMatchObject({ err: '' });
      await refused(newer, 'is the last good backup');
      expect(await list()).toEqual([newer]);
    },
  );
});
