import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import type { Instance } from '@/lib/kudo/types';
import { createNamespace, type Engine, eventually, startEngine } from '@/test/engine/https-engine';
import { writePond } from '@/test/operators/pond-package';
import { runBravo as bravo } from '@/test/programs/run-bravo';

const namespace = 'lab';

describe('values of parameters in Secrets, from the command line', () => {
  let engine: Engine;
  let folder: string;
  const home = process.cwd();

  beforeAll(async () => {
    engine = await startEngine();
    await createNamespace(engine.api, namespace);
    folder = await mkdtemp(join(tmpdir(), 'bravo-sources-'));
    await writeFile(join(folder, 'kubeconfig'), engine.sandbox.kubeconfig);
    await writePond(join(folder, 'pond'), '0.1.0');
    process.chdir(folder);
    process.env.KUBECONFIG = join(folder, 'kubeconfig');
  });
  afterAll(async () => {
    process.chdir(home);
    delete process.env.KUBECONFIG;
    await engine?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const specOf = async () => ((await engine.api.get({ ...INSTANCES, namespace, name: 'one' })) as Instance).spec;
  const levelIs = (level: string) =>
    eventually(`level is ${level}`, async () => {
      const target = { group: '', version: 'v1', resource: 'configmaps', namespace, name: 'one' };
      const data = (await engine.api.get(target))?.data;
      return (data as { level?: string } | undefined)?.level === level ? true : undefined;
    });
  const update = (...words: string[]) => bravo('update', '--instance', 'one', '-n', namespace, '--wait', ...words);

  it('an install takes them, an edit of the Secret arrives, and a value is not written beside it', async () => {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'levels', namespace } };
    const target = { group: '', version: 'v1', resource: 'secrets', namespace };
    await engine.api.create(target, { ...secret, stringData: { a: 'trace', b: 'warn' } });
    const words = ['--instance', 'one', '-n', namespace, '--parameter-from', 'LEVEL=secret/levels/a', '--wait'];
    expect((await bravo('install', './pond', ...words)).code).toBe(0);
    await levelIs('trace');
    expect((await specOf())?.parameters).not.toHaveProperty('LEVEL');
    await engine.api.patch({ ...target, name: 'levels' }, 'merge', { stringData: { a: 'debug' } });
    await levelIs('debug');
    const refused = await update('-p', 'LEVEL=info');
    expect(refused.code).not.toBe(0);
    expect(refused.err).toContain('is in Secret levels, key a');
  });

  it('an update moves a parameter to another key, and back into the instance', async () => {
    expect((await update('--parameter-from', 'LEVEL=secret/levels/b')).err).toBe('');
    await levelIs('warn');
    expect((await update('--inline', '-p', 'LEVEL=info')).err).toBe('');
    await levelIs('info');
    expect(await specOf()).toMatchObject({ parameters: { LEVEL: 'info' } });
    expect((await specOf())?.parametersFrom).toBeUndefined();
    expect((await update('--parameter-from', 'LEVEL=secret/levels/b')).code).toBe(0);
    expect((await specOf())?.parameters).not.toHaveProperty('LEVEL');
    await levelIs('warn');
  });
});
