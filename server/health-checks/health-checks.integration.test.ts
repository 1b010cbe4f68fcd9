import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HEALTH_CHECKS_ANNOTATION } from '@/lib/kudo/health-checks/definitions';
import { healthyConditionOf } from '@/lib/kudo/health-checks/results';
import type { OperatorVersionSpec } from '@/lib/kudo/types';
import { Lab } from '@/test/engine/lab';
import type { ProgramEnd } from '@/test/engine/pod-files';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { apply, deployment, oneStep, plan, task } from '@/test/operators/templates';

const database: OperatorVersionSpec = oneStep([apply('db', 'db.yaml'), task('never', 'Dummy', {})], {
  templates: { 'db.yaml': deployment('{{ .Name }}', { replicas: '{{ .Params.REPLICAS }}' }) },
  parameters: [
    { name: 'REPLICAS', default: '2' },
    { name: 'LIMIT', default: '60' },
    { name: 'PASSWORD', default: 'swordfish' },
  ],
  plans: { deploy: plan(['run', 'db']), hangs: plan(['run', 'never']) },
});

const LAG = {
  name: 'lag',
  kind: 'exec',
  pods: { app: '{{ .Name }}' },
  command: ['lag', '{{ .Params.LIMIT }}'],
  period: '30s',
};

describe('declared health checks', () => {
  let engine: VirtualEngine;
  let lab: Lab;
  let runs: string[][];
  let end: (pod: string) => ProgramEnd | undefined;

  beforeEach(async () => {
    engine = await startVirtualEngine();
    await engine.startController();
    lab = await Lab.open(engine, 'shop');
    runs = [];
    end = () => ({ exitCode: 0, stdout: 'lag 3 s\n' });
    engine.files.programs.set('lag', (pod) => {
      runs.push([pod, ...(engine.files.commands.at(-1) ?? [])]);
      return end(pod);
    });
  });
  afterEach(() => engine.stop());

  async function deploy(...checks: object[]): Promise<void> {
    const version = await lab.operator('db', database);
    await annotate(version, checks);
    await lab.create('db', version);
    await lab.ends('db', 'deploy');
    await engine.pass(10_000);
  }

  function annotate(version: string, checks: readonly object[]): Promise<unknown> {
    const metadata = { annotations: { [HEALTH_CHECKS_ANNOTATION]: JSON.stringify(checks) } };
    return lab.patch('operatorversions', version, { metadata });
  }

  const statuses = () => lab.instance('db').status?.healthChecks;
  const healthy = () => healthyConditionOf(lab.instance('db'));
  const writes = () => engine.calls.filter(({ method, path }) => method === 'PUT' && path.includes('/status')).length;
  const events = () => lab.reasons('db').filter((reason) => reason.startsWith('Health'));

  it('run in every ready pod with its templates rendered, and are written with their text', async () => {
    await deploy(LAG);
    expect(new Set(runs.map(([pod]) => pod)).size).toBe(2);
    expect(runs[0]?.slice(1)).toEqual(['lag', '60']);
    expect(statuses()).toMatchObject([{ name: 'lag', status: 'Passing', message: 'lag 3 s' }]);
    expect(healthy()).toMatchObject({ status: 'True', reason: 'HealthChecksPassed' });
    expect(events()).toEqual([]);
  });

  it('write nothing while nothing changes, a text once a minute, and a verdict at once', async () => {
    await deploy(LAG);
    const before = writes();
    await engine.pass(300_000);
    expect(writes()).toBe(before);
    let lagS = 4;
    end = () => ({ exitCode: 0, stdout: `lag ${lagS++} s\n` });
    await engine.pass(300_000);
    expect(writes() - before).toBeGreaterThanOrEqual(4);
    expect(writes() - before).toBeLessThanOrEqual(6);
    end = () => ({ exitCode: 1, stdout: 'lag 95 s\n' });
    await engine.pass(31_000);
    expect(healthy()).toMatchObject({ status: 'False', reason: 'HealthCheckFailed' });
    expect(healthy()?.message).toMatch(/^lag 95 s on db-.* \(health check lag\)$/);
    expect(events()).toEqual(['HealthCheckFailed']);
    end = () => ({ exitCode: 0, stdout: 'lag 0 s\n' });
    await engine.pass(31_000);
    expect(healthy()?.status).toBe('True');
    expect(events()).toEqual(['HealthCheckFailed', 'HealthChecksPassed']);
  });

  it('say every ten minutes that they still run', async () => {
    await deploy(LAG);
    const before = statuses()?.[0]?.lastProbeTime ?? '';
    await engine.pass(640_000);
    expect(Date.parse(statuses()?.[0]?.lastProbeTime ?? '') - Date.parse(before)).toBeGreaterThan(500_000);
  });

  it('are unknown after two runs without an answer in time, and run more rarely then', async () => {
    await deploy({ ...LAG, mode: 'first' });
    end = () => undefined;
    await engine.pass(36_000);
    expect(statuses()).toMatchObject([{ status: 'Passing' }]);
    await engine.pass(15_000);
    expect(statuses()).toMatchObject([{ status: 'Unknown', message: 'no answer within 5 s' }]);
    expect(events()).toEqual(['HealthUnknown']);
    const before = runs.length;
    await engine.pass(600_000);
    expect(runs.length - before).toBeLessThan(6);
  });

  it('are unknown while no pod is ready, and run as soon as one is', async () => {
    await deploy(LAG);
    await lab.patch('deployments', 'db', { spec: { replicas: 0 } });
    await engine.pass(45_000);
    expect(statuses()).toMatchObject([{ status: 'Unknown', message: 'no pod with app=db is ready' }]);
    await lab.patch('deployments', 'db', { spec: { replicas: 1 } });
    await engine.pass(8_000);
    expect(statuses()).toMatchObject([{ status: 'Passing' }]);
  });

  it('go on while a plan runs, and do not fail it', async () => {
    await deploy(LAG);
    await lab.patch('instances', 'db', { spec: { planExecution: { planName: 'hangs' } } });
    await engine.pass(5_000);
    end = () => ({ exitCode: 1, stdout: 'lag 95 s\n' });
    await engine.pass(31_000);
    expect(healthy()?.status).toBe('False');
    expect(lab.instance('db').status?.planStatus?.hangs?.status).toBe('IN_PROGRESS');
  });

  it('go on after the controller was replaced, without a write or an event when nothing has changed', async () => {
    await deploy(LAG);
    const before = JSON.stringify(statuses());
    await engine.stopController();
    await engine.startController();
    runs.length = 0;
    await engine.pass(60_000);
    expect(runs.length).toBeGreaterThan(0);
    expect(JSON.stringify(statuses())).toBe(before);
    expect(events()).toEqual([]);
  });

  it('stop when the version has none any more, or the Instance is deleted, and leave nothing behind', async () => {
    await deploy(LAG);
    await annotate('db-1', []);
    await engine.pass(5_000);
    expect(lab.instance('db').status).not.toHaveProperty('healthChecks');
    expect(healthy()).toBeUndefined();
    await annotate('db-1', [LAG]);
    await engine.pass(10_000);
    expect(healthy()?.status).toBe('True');
    await lab.remove('instances', 'db');
    await engine.pass(5_000);
    runs.length = 0;
    await engine.pass(300_000);
    expect(runs).toEqual([]);
  });

  it('that are not enabled do not run', async () => {
    await deploy({ ...LAG, enabled: '{{ gt (int .Params.REPLICAS) 2 }}' });
    expect(runs).toEqual([]);
    expect(statuses()).toBeUndefined();
    await lab.patch('instances', 'db', { spec: { parameters: { REPLICAS: '3' } } });
    await engine.pass(60_000);
    expect(statuses()).toMatchObject([{ status: 'Passing' }]);
  });

  it('whose template cannot be rendered are unknown and say why', async () => {
    await deploy({ ...LAG, command: ['lag', '{{ fail "no limit" }}'] });
    expect(statuses()).toMatchObject([{ status: 'Unknown', message: expect.stringContaining('no limit') }]);
  });

  it('do not see secret parameters', async () => {
    await deploy({ ...LAG, command: ['lag', '{{ .Params.PASSWORD }}'] });
    expect(statuses()).toMatchObject([
      { status: 'Unknown', message: expect.stringContaining('no entry for key "PASSWORD"') },
    ]);
    expect(runs).toEqual([]);
  });

  it('do not show the value of a secret parameter that a command prints', async () => {
    end = () => ({ exitCode: 1, stdout: 'no login with swordfish\n' });
    await deploy(LAG);
    expect(statuses()).toMatchObject([{ status: 'Failing', message: 'no login with ‹secret›' }]);
    expect(JSON.stringify([lab.instance('db').status, lab.events('db')])).not.toContain('swordfish');
  });

  it('do not run in a controller that does not lead', async () => {
    await deploy(LAG);
    await engine.stopController();
    runs.length = 0;
    await engine.pass(300_000);
    expect(runs).toEqual([]);
  });
});
