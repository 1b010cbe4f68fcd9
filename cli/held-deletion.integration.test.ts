import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INSTANCES } from '@/lib/kudo/crds/crds';
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
import { done, never } from '@/test/operators/backup-operator';
import { plan } from '@/test/operators/templates';
import { runBravo as bravo } from '@/test/programs/run-bravo';

const operator: OperatorVersionSpec = {
  tasks: [never, done],
  plans: { deploy: plan(['run', 'done']), cleanup: plan(['first', 'done'], ['second', 'never']) },
};

const WAYS_OUT =
  'Start it again with `bravo plan trigger --name cleanup --instance db -n lab`, or remove the finalizer kudo.dev.instance.cleanup';

describe('a deletion whose cleanup was cancelled', () => {
  let engine: Engine;
  let folder: string;

  beforeAll(async () => {
    engine = await startEngine();
    await createNamespace(engine.api, 'lab');
    folder = await mkdtemp(join(tmpdir(), 'bravo-held-'));
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

  const isAt = (name: string, status: string) =>
    eventually(`run ${name} is ${status}`, async () => {
      const found = (await engine.api.get({ ...PLAN_RUNS, namespace: 'lab', name })) as PlanRun | undefined;
      return found?.status?.status === status ? found : undefined;
    });
  const about = (...words: string[]) => bravo(...words, '--instance', 'db', '-n', 'lab');

  it('waits, says why and what helps, and goes on where it was when the cleanup is asked for again', async () => {
    expect(await about('uninstall')).toMatchObject({ code: 0 });
    await isAt('db-cleanup-1', 'IN_PROGRESS');
    expect((await about('plan', 'status')).out).not.toContain('The deletion waits');

    const cancelled = await about('run', 'cancel', '--yes');
    expect(cancelled.out).toContain(`The deletion of Instance db waits then. ${WAYS_OUT}`);
    await isAt('db-cleanup-1', 'Cancelled');
    expect((await about('plan', 'status')).out).toContain(
      `The deletion waits: plan cleanup was cancelled. ${WAYS_OUT}`,
    );
    const waited = await about('uninstall', '--wait', '--wait-time', '60');
    expect(waited).toMatchObject({ code: 255 });
    expect(waited.err).toContain('The deletion waits: plan cleanup was cancelled.');

    const repeated = await bravo('run', 'retry', 'db-cleanup-1', '--reason', 'ticket 9', '-n', 'lab');
    expect(repeated).toMatchObject({ code: 0 });
    const { spec, status } = await isAt('db-cleanup-2', 'IN_PROGRESS');
    expect(spec).toMatchObject({ cause: 'Retry', retryOf: 'db-cleanup-1', reason: 'ticket 9' });
    expect(status?.phases?.[0]?.steps?.[0]).toMatchObject({ name: 'first', status: 'COMPLETE' });
    expect((await about('plan', 'status')).out).not.toContain('The deletion waits');
  });

  it('is complete when a step is skipped that held it', async () => {
    const skip = ['--phase', 'main', '--step', 'second', '--reason', 'not needed'];
    expect(await about('run', 'skip', ...skip)).toMatchObject({ code: 0 });
    await eventually('the Instance is deleted', async () => {
      return (await engine.api.get({ ...INSTANCES, namespace: 'lab', name: 'db' })) === undefined;
    });
    await isAt('db-cleanup-2', 'COMPLETE');
  });
});
