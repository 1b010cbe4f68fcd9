import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringAt } from '@/lib/json/json';
import { healthOf } from '@/lib/kudo/health/health';
import { stallOf } from '@/lib/kudo/plan/conditions';
import type { Instance, OperatorVersionSpec, Task } from '@/lib/kudo/types';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { apply, deployment, job, oneStep, plan, remove, statefulSet, task } from '@/test/operators/templates';

let engine: VirtualEngine;
let lab: Lab;

beforeAll(async () => {
  engine = await startVirtualEngine();
  await engine.startController();
  lab = await Lab.open(engine, 'readiness');
});
afterAll(() => engine?.stop());

const withImage = (image: string) => ({
  spec: { template: { spec: { containers: [{ name: 'main', image }] } } },
});

describe('readiness', () => {
  it('RDY-03 an image that cannot be pulled makes an idle Instance unready, and the message names it', async () => {
    const templates = { 'd.yaml': deployment('rdy03') };
    await lab.deploy('rdy03', oneStep([apply('a', 'd.yaml')], { templates }));
    expect(lab.ready('rdy03')).toMatchObject({ status: 'True', reason: 'ResourcesReady' });
    await lab.patch('deployments', 'rdy03', withImage('nonexistent'));
    await engine.until('the Instance is unready', () => lab.ready('rdy03')?.status === 'False');
    await engine.pass(5_000);
    expect(lab.ready('rdy03')).toMatchObject({
      reason: 'ResourceNotReady',
      message: expect.stringMatching(/Deployment rdy03: .*(ErrImagePull|ImagePullBackOff)/),
    });
    await lab.patch('deployments', 'rdy03', withImage('nginx'));
    await engine.until('the Instance is ready again', () => lab.ready('rdy03')?.status === 'True');
  });

  it('the message names a missing Secret, as the step of a plan does, until the Secret exists', async () => {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'certs' } };
    await lab.put('secrets', secret);
    const podSpec = '      volumes: [{name: v, secret: {secretName: certs}}]\n';
    const templates = { 'd.yaml': deployment('certified', { podSpec }) };
    await lab.deploy('certified', oneStep([apply('a', 'd.yaml')], { templates }));
    await lab.remove('secrets', 'certs');
    await lab.patch('deployments', 'certified', { spec: { replicas: 2 } });
    await engine.pass(30_000);
    expect(lab.ready('certified')).toMatchObject({
      reason: 'ResourceNotReady',
      message: expect.stringMatching(
        /Pod certified-[^:]+: .*; pod certified-[^:]+: FailedMount: .*secret "certs" not found/,
      ),
    });
    await lab.put('secrets', secret);
    await engine.until('the Instance is ready again', () => lab.ready('certified')?.status === 'True');
  });

  it('RDY-10 (differs, T-06) the pod of a finished Job does not count', async () => {
    const templates = { 'j.yaml': job('rdy10') };
    await lab.deploy('rdy10', oneStep([apply('a', 'j.yaml')], { templates }));
    await engine.pass(10_000);
    const pods = engine.sandbox.api.list({ group: '', version: 'v1', resource: 'pods', namespace: lab.namespace });
    const ours = pods.filter(({ metadata }) => metadata.labels?.['kudo.dev/instance'] === 'rdy10');
    expect(ours.map(({ status }) => stringAt(status, 'phase'))).toEqual(['Succeeded']);
    expect(lab.ready('rdy10')).toMatchObject({ status: 'True', reason: 'ResourcesReady' });
  });

  it.each(['DaemonSet', 'ReplicaSet'])('RDY-11 (differs) a %s that is not ready is noticed', async (kind) => {
    const name = `rdy11-${kind.toLowerCase()}`;
    const resource = `${kind.toLowerCase()}s`;
    const text = deployment(name).replace('kind: Deployment', `kind: ${kind}`);
    const template = kind === 'DaemonSet' ? text.replace('  replicas: 1\n', '') : text;
    await lab.deploy(name, oneStep([apply('a', 'd.yaml')], { templates: { 'd.yaml': template } }));
    await lab.patch(resource, name, withImage('nonexistent'));
    const pods = engine.sandbox.api.list({ group: '', version: 'v1', resource: 'pods', namespace: lab.namespace });
    // Neither kind replaces its pods at once: the old ones are deleted, and new ones cannot start.
    for (const { metadata } of pods) {
      if (metadata.labels?.['kudo.dev/instance'] === name) await lab.remove('pods', metadata.name ?? '');
    }
    await engine.until('the Instance is unready', () => lab.ready(name)?.status === 'False');
    expect(lab.ready(name)?.message).toContain(`${kind} ${name}`);
  });
});

describe('readiness without a workload that a plan left', () => {
  /** `restore` deletes the StatefulSet and then does not get on; `stop` deletes it on purpose. */
  const database = (name: string, second: Task): OperatorVersionSpec => ({
    templates: { 's.yaml': statefulSet(name) },
    tasks: [apply('run', 's.yaml'), remove('stop', 's.yaml'), second, task('done', 'Dummy', { done: true })],
    plans: {
      deploy: plan(['run', 'run']),
      restore: plan(['stop', 'stop'], ['load', second.name], ['start', 'run']),
      stop: plan(['stop', 'stop']),
      backup: plan(['save', 'done']),
    },
  });
  const fails = task('load', 'Dummy', { wantErr: true, fatal: true });
  const errs = task('load', 'Dummy', { wantErr: true });
  const start = (planName: string) => ({ planExecution: { planName } });

  it('is False with the name of a StatefulSet that a plan deleted before it failed, until a plan makes it again', async () => {
    await lab.deploy('failed', database('failed', fails));
    await lab.edit('failed', start('restore'), 'restore', { status: 'FATAL_ERROR' });
    const missing = {
      status: 'False',
      reason: 'ResourceMissing',
      message: 'StatefulSet failed is missing; plan restore ended in a fatal error',
    };
    expect(lab.ready('failed')).toMatchObject(missing);
    await lab.edit('failed', start('backup'), 'backup');
    expect(lab.ready('failed')).toMatchObject({ ...missing, message: 'StatefulSet failed is missing' });
    await lab.edit('failed', start('deploy'), 'deploy');
    await engine.until('it is ready again', () => lab.ready('failed')?.status === 'True');
  });

  it('is False while the plan that deleted it is tried again and again', async () => {
    await lab.deploy('tries', database('tries', errs));
    await lab.patch('instances', 'tries', { spec: start('restore') });
    await lab.step('tries', 'restore.main.load', 'ERROR');
    expect(lab.ready('tries')).toMatchObject({ status: 'False', message: 'StatefulSet tries is missing' });
    await engine.until('another plan may take its place', () => stallOf(lab.instance('tries')) !== undefined);
    await lab.edit('tries', start('deploy'), 'deploy');
    await engine.until('it is ready again', () => lab.ready('tries')?.status === 'True');
  });

  it('is False when somebody deleted it', async () => {
    await lab.deploy('byhand', database('byhand', fails));
    await lab.remove('statefulsets', 'byhand');
    await engine.until('it is unready', () => lab.ready('byhand')?.status === 'False');
    expect(lab.ready('byhand')).toMatchObject({ message: 'StatefulSet byhand is missing' });
  });

  it('is True when a plan deleted it that is complete', async () => {
    await lab.deploy('stopped', database('stopped', fails));
    await lab.edit('stopped', start('stop'), 'stop');
    expect(lab.find('statefulsets', 'stopped')).toBeUndefined();
    expect(lab.ready('stopped')).toMatchObject({ status: 'True' });
  });

  it('asks the API server nothing while nothing is missing', async () => {
    await lab.deploy('quiet', database('quiet', fails));
    const reads = () =>
      engine.calls.filter(({ method, path }) => method === 'GET' && path.includes('/statefulsets/quiet'));
    const before = reads().length;
    await lab.patch('instances', 'quiet', { metadata: { labels: { touched: 'yes' } } });
    await engine.pass(10_000);
    expect(reads().length).toBe(before);
  });
});

describe('the health of an Instance', () => {
  const instance = (planName: string, status: 'COMPLETE' | 'FATAL_ERROR' = 'COMPLETE'): Instance => ({
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: { name: 'i', namespace: 'n' },
    spec: { planExecution: { planName } },
    status: { planStatus: { deploy: { name: 'deploy', status, lastUpdatedTimestamp: '2026-01-01T00:00:00Z' } } },
  });

  it('HLT-04 is progressing while a plan is scheduled, and healthy otherwise', () => {
    expect(healthOf(instance('deploy')).state).toBe('progressing');
    expect(healthOf(instance('')).state).toBe('healthy');
  });

  it('HLT-04 (differs, T-03) is failed when the last plan failed', () => {
    expect(healthOf(instance('', 'FATAL_ERROR')).state).toBe('failed');
  });
});
