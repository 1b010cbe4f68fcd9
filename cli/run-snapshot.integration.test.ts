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

  it('is written without secret values, and is what the cluster says until a character of it changes', async () => {
    const file = join(folder, 'run.html');
    const written = await bravo('snapshot', 'db-deploy-1', '-O', file);
    expect(written).toMatchObject({ code: 0 });
    expect(written.out).toMatch(/was written to .*run\.html \(SHA-256 [0-9a-f]{64}\)/);
    const text = await readFile(file, 'utf8');
    expect(text).toContain('Secret db');
    expect(text).not.toContain('hunter2');
    expect(await bravo('verify-snapshot', file)).toMatchObject({ code: 0 });
    await writeFile(file, text.replace('created', 'deleted'));
    const refused = await bravo('verify-snapshot', file);
    expect(refused.code).not.toBe(0);
    expect(refused.err).toContain('the file, or the record of the run, was changed');
  });

  it('of another file is refused', async () => {
    const refused = await bravo('verify-snapshot', join(folder, 'kubeconfig'));
    expect(refused).toMatchObject({ code: 255 });
    expect(refused.err).toContain('is not a snapshot of a run');
    expect((await bravo('verify-snapshot', join(folder, 'none.html'))).err).toContain('does not exist');
  });
});
