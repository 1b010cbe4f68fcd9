import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLAN_RUNS, type PlanRun } from '@/lib/kudo/runs/plan-run';
import type { OperatorVersionSpec } from '@/lib/kudo/types';
import {
  createInstance,
  createNamespace,
  createOperator,
  type Engine,
  eventually,
  planEnds,
  startEngine,
} from '@/test/engine/https-engine';
import { runBravo } from '@/test/programs/run-bravo';

const secret =
  'apiVersion: v1\nkind: Secret\nmetadata:\n  name: {{ .Name }}\nstringData:\n  password: "{{ .Params.PASSWORD }}"\n';
const operator: OperatorVersionSpec = {
  version: '1',
  parameters: [{ name: 'PASSWORD', default: 'hunter2' }],
  templates: { 's.yaml': secret },
  tasks: [{ name: 'write', kind: 'Apply', spec: { resources: ['s.yaml'] } }],
  plans: {
    deploy: {
      strategy: 'serial',
      phases: [{ name: 'main', strategy: 'serial', steps: [{ name: 'write', tasks: ['write'] }] }],
    },
  },
};

describe('the snapshot of a run on the command line', () => {
  let engine: Engine;
  let folder: string;
  const bravo = (...words: string[]) => runBravo('run', ...words, '-n', 'lab');

  beforeAll(async () => {
    engine = await startEngine();
    await createNamespace(engine.api, 'lab');
    folder = await mkdtemp(join(tmpdir(), 'bravo-snapshot-'));
    await writeFile(join(folder, 'kubeconfig'), engine.sandbox.kubeconfig);
    process.env.KUBECONFIG = join(folder, 'kubeconfig');
    await createInstance(engine.api, 'lab', 'db', await createOperator(engine.api, 'lab', 'op', operator));
    await planEnds(engine.api, 'lab', 'db', { plan: 'deploy' });
    await eventually('the end of the run', async () => {
      const run = (await engine.api.get({ ...PLAN_RUNS, namespace: 'lab', name: 'db-deploy-1' })) as PlanRun;
      return run.status?.status === 'COMPLETE';
    });
  });
  afterAll(async () => {
    delete process.env.KUBECONFIG;
    await engine?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('is written without secret values, and is what the controller signed until a character of it changes', async () => {
    const file = join(folder, 'run.html');
    const written = await bravo('snapshot', 'db-deploy-1', '-O', file);
    expect(written).toMatchObject({ code: 0 });
    expect(written.out).toMatch(/was written to .*run\.html \(SHA-256 [0-9a-f]{64}\)\.\n$/);
    const text = await readFile(file, 'utf8');
    expect(text).toContain('Secret db');
    expect(text).not.toContain('hunter2');
    const verified = await bravo('verify-snapshot', file);
    expect(verified).toMatchObject({ code: 0 });
    expect(verified.out).toMatch(/is what the controller signed about run lab\/db-deploy-1, with key [0-9a-f]{64} /);
    await writeFile(file, text.replace('created', 'deleted'));
    const refused = await bravo('verify-snapshot', file);
    expect(refused.code).not.toBe(0);
    expect(refused.err).toContain('The page was changed');
  });

  it('is verified with the public key alone, where no cluster can be reached', async () => {
    const [file, key] = [join(folder, 'away.html'), join(folder, 'public.pem')];
    await bravo('snapshot', 'db-deploy-1', '-O', file);
    const printed = await bravo('signing-key');
    expect(printed).toMatchObject({ code: 0, out: expect.stringContaining('-----BEGIN PUBLIC KEY-----') });
    await writeFile(key, printed.out);
    const kubeconfig = process.env.KUBECONFIG;
    process.env.KUBECONFIG = join(folder, 'none');
    try {
      expect(await bravo('verify-snapshot', file, '--key', key)).toMatchObject({ code: 0 });
      expect((await bravo('verify-snapshot', file)).code).not.toBe(0);
    } finally {
      process.env.KUBECONFIG = kubeconfig;
    }
    const { publicKey } = generateKeyPairSync('ed25519');
    await writeFile(key, publicKey.export({ type: 'spki', format: 'pem' }));
    const refused = await bravo('verify-snapshot', file, '--key', key);
    expect(refused.code).not.toBe(0);
    expect(refused.err).toContain('The key is unknown');
    expect((await bravo('verify-snapshot', file, '--key', file)).err).toContain('no Ed25519 public key');
  });

  it('is refused when one bit of a byte that is no text was changed', async () => {
    const file = join(folder, 'bytes.html');
    await bravo('snapshot', 'db-deploy-1', '-O', file);
    const bytes = await readFile(file);
    bytes[bytes.indexOf('<h1>') + 6] = 0xff;
    await writeFile(file, bytes);
    expect((await bravo('verify-snapshot', file)).err).toContain('is not a snapshot of a run');
  });

  it('of a run that is not signed is compared with the cluster, and refused with a key', async () => {
    const [file, key] = [join(folder, 'unsigned.html'), join(folder, 'key.pem')];
    await writeFile(key, (await bravo('signing-key')).out);
    const target = { ...PLAN_RUNS, namespace: 'lab', name: 'db-deploy-1' };
    await engine.api.patch(target, 'merge', { status: { signature: null } }, { subresource: 'status' });
    expect((await bravo('snapshot', 'db-deploy-1', '-O', file)).out).toContain('It is not signed.');
    const verified = await bravo('verify-snapshot', file);
    expect(verified).toMatchObject({ code: 0, out: expect.stringContaining('No signature: the run is not signed') });
    expect((await bravo('verify-snapshot', file, '--key', key)).err).toContain('No signature: run lab/db-deploy-1');
    await writeFile(file, (await readFile(file, 'utf8')).replace('created', 'deleted'));
    expect((await bravo('verify-snapshot', file)).err).toContain('the file, or the record of the run, was changed');
  });

  it('needs a namespace that has public keys', async () => {
    const refused = await bravo('signing-key', '--lease-namespace', 'lab');
    expect(refused.code).not.toBe(0);
    expect(refused.err).toContain('ConfigMap lab/bravo-signing-keys does not exist');
    expect((await bravo('signing-key', 'f00')).err).toContain('has no such key');
  });

  it('of another file is refused', async () => {
    const refused = await bravo('verify-snapshot', join(folder, 'kubeconfig'));
    expect(refused).toMatchObject({ code: 255 });
    expect(refused.err).toContain('is not a snapshot of a run');
    expect((await bravo('verify-snapshot', join(folder, 'none.html'))).err).toContain('does not exist');
  });
});
