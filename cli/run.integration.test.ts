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
import { runBravo as bravo } from '@/test/programs/run-bravo';

const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Name }}\ndata:\n  a: "{{ .Params.A }}"\n';
const operator: OperatorVersionSpec = {
  version: '1',
  parameters: [{ name: 'A', default: 'a' }],
  templates: { 'c.yaml': configMap },
  tasks: [{ name: 'write', kind: 'Apply', spec: { resources: ['c.yaml'] } }, never, done],
  plans: {
    deploy: {
      strategy: 'serial',
      phases: [{ name: 'main', strategy: 'serial', steps: [{ name: 'write', tasks: ['write'] }] }],
    },
    long: {
      strategy: 'serial',
      phases: [
        { name: 'one', strategy: 'serial', steps: [{ name: 'wait', tasks: ['never'] }] },
        { name: 'two', strategy: 'serial', steps: [{ name: 'end', tasks: ['done'] }] },
      ],
    },
  },
};

describe('the command line of runs', () => {
  let engine: Engine;
  let folder: string;

  beforeAll(async () => {
    engine = await startEngine();
    await createNamespace(engine.api, 'lab');
    folder = await mkdtemp(join(tmpdir(), 'bravo-run-'));
    await writeFile(join(folder, 'kubeconfig'), engine.sandbox.kubeconfig);
    process.env.KUBECONFIG = join(folder, 'kubeconfig');
    await createInstance(engine.api, 'lab', 'db', await createOperator(engine.api, 'lab', 'op', operator));
    await planEnds(engine.api, 'lab', 'db', { plan: 'deploy' });
    const update = ['update', '--instance', 'db', '-p', 'A=b', '--reason', 'ticket 7', '--wait', '--wait-time', '60'];
    expect(await bravo(...update, '-n', 'lab')).toMatchObject({ code: 0 });
  });
  afterAll(async () => {
    delete process.env.KUBECONFIG;
    await engine?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const run = (...words: string[]) => bravo('run', ...words, '-n', 'lab');
  const isAt = (name: string, status: string) =>
    eventually(`run ${name} is ${status}`, async () => {
      const found = (await engine.api.get({ ...PLAN_RUNS, namespace: 'lab', name })) as PlanRun | undefined;
      return found?.status?.status === status ? found : undefined;
    });
  const trigger = (...words: string[]) =>
    bravo('plan', 'trigger', '--instance', 'db', '--name', 'long', '-n', 'lab', ...words);

  it('lists the runs with why they began, the last one first', async () => {
    const { out } = await run('list');
    const lines = out
      .trim()
      .split('\n')
      .map((line) => line.split(/\s{2,}|\t+/).map((cell) => cell.trim()));
    expect(lines[0]?.slice(0, 6)).toEqual(['NAME', 'INSTANCE', 'PLAN', 'WHY', 'WHO', 'STATUS']);
    expect(out).toMatch(/^db-deploy-2\s+db\s+deploy\s+Parameters\s.*COMPLETE/m);
    expect((await run('list', '--instance', 'db', '-o', 'name')).out).toBe('db-deploy-2\ndb-deploy-1\n');
    const none = { out: 'No runs found in namespace lab.\n', err: '', code: 0 };
    expect(await run('list', '--plan', 'none')).toEqual(none);
    expect((await run('list', '-A', '-o', 'name')).out).toBe('db-deploy-2\ndb-deploy-1\n');
    expect((await run('list', '-A')).out).toMatch(/^NAMESPACE\s.*\nlab\s+db-deploy-2\s/);
    expect((await run('list', '-o', 'wide')).err).toContain("only support 'yaml' or 'json' or 'name' or empty");
    expect(JSON.parse((await run('list', '-o', 'json')).out)).toHaveLength(2);
  });

  it('shows one run, with its reason, the parameters that changed, and its steps', async () => {
    const { out } = await run('show', 'db-deploy-2');
    expect(out).toContain('reason: ticket 7');
    expect(out).toContain('A: (default) → "b"');
    expect(out).toMatch(/write \[COMPLETE/);
    expect((await run('show', 'nothing')).err).toContain('run lab/nothing does not exist');
    expect((await run('show')).err).toContain('choose an instance with --instance');
    expect((await run('show', 'db-deploy-2', '--instance', 'other')).err).toContain('is of instance db, not other');
    expect((await run('show', '--instance', 'db', '-o', 'name')).out).toBe('db-deploy-2\n');
    expect(JSON.parse((await run('show', 'db-deploy-1', '-o', 'json')).out).spec.cause).toBe('Create');
  });

  it('shows what a run changed, and how it differs from another one', async () => {
    expect((await run('diff', 'db-deploy-1')).out).toContain('main/write: ConfigMap db created');
    expect((await run('diff', 'db-deploy-2')).out).toMatch(/ConfigMap db changed\n {4}data:\n {6}a: b/);
    const { out } = await run('diff', 'db-deploy-2', 'db-deploy-1');
    expect((await run('diff', 'db-deploy-1', 'db-deploy-2')).out).toBe(out);
    expect((await run('diff', 'db-deploy-1', 'db-deploy-1')).err).toContain('run lab/db-deploy-1 is both runs');
    expect(out).toContain('From run db-deploy-1 to run db-deploy-2:\n');
    expect(out).toContain('parameter A: (default) → "b"');
    expect(out).toContain('ConfigMap db: the manifests differ');
    expect((await run('logs', 'db-deploy-2')).err).toContain('did not fail');
  });

  it('pauses, skips, stops after a phase, resumes and cancels, and repeats what was cancelled', async () => {
    expect((await trigger('--stop-after', 'three')).err).toContain('its phases are one, two');
    expect(await trigger('--stop-after', 'one', '--reason', 'careful')).toMatchObject({ code: 0 });
    await isAt('db-long-1', 'IN_PROGRESS');
    expect((await run('skip', '--instance', 'db', '--phase', 'one', '--step', 'what', '--reason', 'r')).err).toContain(
      'phase "one" has no step "what"; its steps are wait',
    );
    expect((await run('stop-after', 'db-long-1', '--phase', 'three')).err).toContain('its phases are one, two');
    expect((await run('stop-after', 'db-long-1', '--phase', '')).out).toContain('will not be held after a phase');
    expect((await run('stop-after', 'db-long-1', '--phase=one')).out).toContain('will be held after phase one');
    const skip = ['skip', '--instance', 'db', '--phase', 'one', '--step', 'wait', '--reason', 'by hand'];
    expect((await run(...skip)).out).toBe('Run lab/db-long-1 will take step wait of phase one as done.\n');
    const held = await isAt('db-long-1', 'Paused');
    expect(held.status?.message).toContain('Stopped after phase one');
    expect((await run('retry', 'db-long-1')).err).toContain('is still under way');
    expect((await run('resume', 'db-long-1')).code).toBe(0);
    await isAt('db-long-1', 'COMPLETE');
    expect((await run('pause', 'db-long-1')).err).toContain('run db-long-1 is over (COMPLETE)');
    expect((await run('pause', '--instance', 'db')).err).toContain('no run of instance lab/db is under way');

    await trigger();
    await isAt('db-long-2', 'IN_PROGRESS');
    expect((await run('pause', '--instance', 'db')).out).toContain('will be held before its next step');
    const refused = await run('cancel', '--instance', 'db');
    expect(refused.out).toContain('Now half done: one/wait; 1 step has not begun. What was applied stays as it is.');
    expect(refused.err).toContain('Pass --yes to cancel run lab/db-long-2');
    expect((await run('cancel', '--instance', 'db', '--yes')).code).toBe(0);
    await isAt('db-long-2', 'Cancelled');
    expect(await run('retry', 'db-long-2', '--reason', 'again')).toMatchObject({ code: 0 });
    const repeated = await isAt('db-long-3', 'IN_PROGRESS');
    expect(repeated.spec).toMatchObject({ cause: 'Retry', retryOf: 'db-long-2', reason: 'again' });
    await run('cancel', 'db-long-3', '-y');
    await isAt('db-long-3', 'Cancelled');
  });

  it('explains a run that failed and one that does not end, and says that others have nothing to explain', async () => {
    const broken =
      'apiVersion: batch/v1\nkind: Job\nmetadata: {name: load}\nspec: {backoffLimit: 0, template: {spec: {restartPolicy: Never, containers: [{name: load, image: busybox, command: [sh, -c, "echo table 7 is broken; exit 3"]}]}}}\n';
    const spec = { ...operator, templates: { 'c.yaml': broken } };
    await createInstance(engine.api, 'lab', 'sick', await createOperator(engine.api, 'lab', 'sick', spec));
    await isAt('sick-deploy-1', 'FATAL_ERROR');
    const { out } = await run('explain', 'sick-deploy-1');
    expect(out).toContain('Job load failed: container load exited with code 3. It is pod load-');
    expect(out).toContain('Its log says: table 7 is broken.');
    expect(out).toMatch(/\n {2}step {4}Step write of phase main in plan deploy failed\n {2}object {2}Job load: failed/);
    const json = JSON.parse((await run('explain', '--instance', 'sick', '-o', 'json')).out);
    expect(json).toMatchObject({
      cause: 'job-failed',
      chain: [{ kind: 'step' }, { kind: 'object' }, { kind: 'pod' }, {}, {}],
    });
    await trigger();
    await isAt('db-long-4', 'IN_PROGRESS');
    expect((await run('explain', '--instance', 'db')).out).toContain('Step wait of phase one in plan long waits');
    await run('cancel', 'db-long-4', '-y');
    await isAt('db-long-4', 'Cancelled');
    expect((await run('explain', 'db-deploy-1')).err).toContain('run lab/db-deploy-1 did not fail');
  });

  it('repeats a run with other values of parameters, and names those that are not valid', async () => {
    expect((await run('retry', 'db-deploy-2', '-p', 'NONE=1')).err).toContain('The operator has no parameter NONE.');
    expect(await run('retry', 'db-deploy-2', '-p', 'A=c', '--wait', '--wait-time', '60')).toEqual({
      out: 'Run db-deploy-2 of instance lab/db is repeated.\n',
      err: '',
      code: 0,
    });
    const repeated = await isAt('db-deploy-3', 'COMPLETE');
    expect(repeated.spec).toMatchObject({ cause: 'Retry', retryOf: 'db-deploy-2' });
    expect(repeated.status?.changes).toEqual([{ name: 'A', before: 'b', after: 'c' }]);
    expect((await run('diff', 'db-deploy-1', 'db-deploy-3')).out).toContain('parameter A: (default) → "c"');
  });

  it('lists the backups that runs have made', async () => {
    const output = { type: 'backup', name: 'monday', size: 2_048, createdAt: '2026-11-23T00:00:00Z', target: 's3' };
    const place = { ...PLAN_RUNS, namespace: 'lab', name: 'db-deploy-2' };
    const outputs = [output, { type: 'backup', name: 'monday', verified: true }];
    await engine.api.patch(place, 'merge', { status: { outputs } }, { subresource: 'status' });
    const list = (...words: string[]) => bravo('backup', 'list', '--instance', 'db', '-n', 'lab', ...words);
    const [head = '', row = ''] = (await list()).out.split('\n');
    const cells = (line: string) => line.split('\t').map((cell) => cell.trim());
    expect(cells(head)).toEqual(['NAME', 'SIZE', 'CREATED', 'TARGET', 'VERIFIED', 'RUN']);
    expect(cells(row)).toEqual(['monday', '2.0 KiB', '2026-11-23T00:00:00Z', 's3', 'yes', 'db-deploy-2']);
    expect((await list('-o', 'name')).out).toBe('monday\n');
    expect(JSON.parse((await list('-o', 'json')).out)).toMatchObject([{ name: 'monday', size: 2_048, verified: true }]);
    await engine.api.patch({ ...INSTANCES, namespace: 'lab', name: 'db' }, 'merge', {
      metadata: { annotations: { 'bravo.kudo.dev/backup-goal': '24h' } },
    });
    expect((await list()).out.trim().split('\n').at(-1)).toMatch(/^Goal missed: The last good backup, monday, is /);
    expect((await run('show', 'db-deploy-2')).out).toContain('backup monday (2.0 KiB, created 2026-11-23T00:00:00Z');
    await engine.api.patch(place, 'merge', { status: { outputs: null } }, { subresource: 'status' });
  });

  it('says that an instance has no backups', async () => {
    expect((await bravo('backup', 'list', '--instance', 'db', '-n', 'lab')).out).toContain('has made a backup');
    expect((await bravo('backup', 'list', '--instance', 'none', '-n', 'lab')).code).toBe(255);
  });
});
