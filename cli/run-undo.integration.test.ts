import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR_VERSIONS } from '@/lib/kudo/crds/crds';
import { PLAN_RUNS, type PlanRun } from '@/lib/kudo/runs/plan-run';
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
import { saying } from '@/test/operators/destructive-operator';
import { apply, configMap, plan } from '@/test/operators/templates';
import { runBravo as bravo } from '@/test/programs/run-bravo';

const operator = (version: string, parameters: OperatorVersionSpec['parameters']): OperatorVersionSpec => ({
  version,
  parameters: parameters ?? [],
  templates: { 'c.yaml': configMap('{{ .Name }}', `{a: "{{ .Params.A }}", version: "${version}"}`) },
  tasks: [apply('write', 'c.yaml')],
  plans: { deploy: plan(['main', 'write']), note: plan(['main', 'write']) },
});
const FIRST = [
  { name: 'A', default: 'a' },
  { name: 'NOTE', default: '', trigger: 'nothing' },
  { name: 'PASSWORD', default: 'pass-default' },
];

describe('bravo run undo', () => {
  let engine: Engine;
  let folder: string;
  let first: string;
  let second: string;

  beforeAll(async () => {
    engine = await startEngine();
    await createNamespace(engine.api, 'undo');
    folder = await mkdtemp(join(tmpdir(), 'bravo-undo-'));
    await writeFile(join(folder, 'kubeconfig'), engine.sandbox.kubeconfig);
    process.env.KUBECONFIG = join(folder, 'kubeconfig');
    first = await createOperator(engine.api, 'undo', 'op', operator('1', FIRST));
    second = await createOperator(engine.api, 'undo', 'op2', operator('2', [...FIRST, { name: 'B', default: 'b' }]));
    const metadata = { annotations: saying({ note: { parameters: ['NOTE'] } }) };
    await engine.api.patch({ ...OPERATOR_VERSIONS, namespace: 'undo', name: first }, 'merge', { metadata });
    await createInstance(engine.api, 'undo', 'db', first);
    await planEnds(engine.api, 'undo', 'db', { plan: 'deploy' });
    expect(await update('-p', 'A=b')).toMatchObject({ code: 0 });
  });
  afterAll(async () => {
    delete process.env.KUBECONFIG;
    await engine?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const undo = (...words: string[]) => bravo('run', 'undo', ...words, '-n', 'undo');
  const update = (...words: string[]) =>
    bravo('update', '--instance', 'db', ...words, '--wait', '--wait-time', '60', '-n', 'undo');
  const ended = (name: string) =>
    eventually(`run ${name} is complete`, async () => {
      const found = (await engine.api.get({ ...PLAN_RUNS, namespace: 'undo', name })) as PlanRun | undefined;
      return found?.status?.status === 'COMPLETE' ? found : undefined;
    });
  const stored = async () => (await getInstance(engine.api, 'undo', 'db'))?.spec ?? {};

  it('shows what an undo would do, and starts nothing', async () => {
    const { out, code } = await undo('db-deploy-2', '--preview');
    expect(code).toBe(0);
    expect(out).toContain('A: "b" → (default)\n');
    expect(out).toContain('Plan deploy:\n  main/main, task write (Apply)\n    ConfigMap db changes\n');
    const json = JSON.parse((await undo('db-deploy-2', '--preview', '-o', 'json')).out);
    expect(json).toMatchObject({ outcome: 'runs', plan: 'deploy', changes: [{ name: 'A', before: 'b' }], notes: [] });
    expect((await stored()).parameters).toMatchObject({ A: 'b' });
  });

  it('takes a parameter back that was absent before, as a new run that says what it undoes', async () => {
    const done = await undo('db-deploy-2', '--reason', 'ticket 9', '--wait', '--wait-time', '60');
    expect(done).toEqual({ out: 'Run undo/db-deploy-2 is undone by plan deploy of instance db.\n', err: '', code: 0 });
    const run = await ended('db-deploy-3');
    expect(run.spec).toMatchObject({ cause: 'Parameters', undoOf: 'db-deploy-2', reason: 'ticket 9' });
    expect(run.status?.changes).toEqual([{ name: 'A', before: 'b' }]);
    expect((await stored()).parameters).not.toHaveProperty('A');
    expect((await bravo('run', 'show', 'db-deploy-3', '-n', 'undo')).out).toContain('undoes db-deploy-2');
    expect((await undo('db-deploy-2')).err).toContain('already has the parameters and the version from before');
  });

  it('is held by a lock, and breaks it with a reason that the run keeps', async () => {
    const lock = await bravo('lock', 'db', '-n', 'undo', '--reason', 'Black Friday', '--until', '4h');
    expect(lock.code).toBe(0);
    const held = await undo('db-deploy-3');
    expect([held.code, held.err]).toEqual([255, expect.stringContaining('Black Friday')]);
    const broken = await undo('db-deploy-3', '--break-lock', 'disk full', '--wait', '--wait-time', '60');
    expect(broken).toMatchObject({ code: 0, err: '' });
    const run = await ended('db-deploy-4');
    expect(run.spec).toMatchObject({ undoOf: 'db-deploy-3', reason: 'disk full' });
    expect(run.status?.steering).toMatchObject([{ event: 'LockBroken' }]);
    expect((await bravo('unlock', 'db', '-n', 'undo')).code).toBe(0);
  });

  it('names a later run that changed the same parameter', async () => {
    await update('-p', 'A=c');
    await ended('db-deploy-5');
    const { out } = await undo('db-deploy-4', '--preview');
    expect(out).toContain('The later run db-deploy-5 set A to "c". That is undone too.\n');
  });

  it('moves back to the version from before, and takes away parameters that only the new one has', async () => {
    const target = { group: 'kudo.dev', version: 'v1beta1', resource: 'instances', namespace: 'undo', name: 'db' };
    const spec = { operatorVersion: { name: second }, parameters: { B: 'x' } };
    await engine.api.patch(target, 'merge', { spec });
    await ended('db-deploy-6');
    const preview = await undo('db-deploy-6', '--preview');
    expect(preview.out).toContain(`version ${second} → ${first}\nB: "x" → (default)\n`);
    expect((await undo('--instance', 'db', '--wait', '--wait-time', '60')).code).toBe(0);
    const run = await ended('db-deploy-7');
    expect(run.spec).toMatchObject({ cause: 'Version', undoOf: 'db-deploy-6' });
    const { operatorVersion, parameters } = await stored();
    expect(operatorVersion?.name).toBe(first);
    expect(parameters).not.toHaveProperty('B');
    const read = await engine.api.get({
      group: '',
      version: 'v1',
      resource: 'configmaps',
      namespace: 'undo',
      name: 'db',
    });
    expect(read?.data).toEqual({ a: 'c', version: '1' });
  });

  it('refuses a run that changed a secret value, and one that changed nothing', async () => {
    await update('-p', 'PASSWORD=word-of-pass', '-p', 'A=d');
    await ended('db-deploy-8');
    const { err, code } = await undo('db-deploy-8');
    expect(code).not.toBe(0);
    expect(err).toContain('changed PASSWORD, a secret value of which only a fingerprint is kept.');
    expect(err).toContain('`bravo update --instance db -p A=… -p PASSWORD=…`');
    expect((await undo('db-deploy-1')).err).toContain('changed no parameter and no version');
    expect((await undo('nothing')).err).toContain('run undo/nothing does not exist');
  });
});
