import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import { REQUEST_ANNOTATION } from '@/lib/kudo/runs/run-request';
import type { OperatorVersionSpec } from '@/lib/kudo/types';
import { readRunRecord } from '@/server/runs/record-secret';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { done, never } from '@/test/operators/backup-operator';
import { plan } from '@/test/operators/templates';

/** Phase `one` waits for ever, phase `two` is done at once. */
const twoPhases: OperatorVersionSpec = {
  tasks: [never, done],
  parameters: [
    { name: 'A', default: 'a', trigger: 'deploy' },
    { name: 'PASSWORD', default: 'x', trigger: 'quick' },
  ],
  plans: {
    deploy: {
      strategy: 'serial',
      phases: [
        { name: 'one', strategy: 'serial', steps: [{ name: 'wait', tasks: ['never'] }] },
        { name: 'two', strategy: 'serial', steps: [{ name: 'end', tasks: ['done'] }] },
      ],
    },
    quick: plan(['run', 'done']),
  },
};

const quick: OperatorVersionSpec = { ...twoPhases, plans: { ...twoPhases.plans, deploy: plan(['run', 'done']) } };

describe('the record of a run', () => {
  let engine: VirtualEngine;
  let lab: Lab;
  beforeAll(async () => {
    engine = await startVirtualEngine();
    lab = await Lab.open(engine, 'runs');
    await engine.startController();
  });
  afterAll(() => engine?.stop());

  const steer = (name: string, spec: { [field: string]: boolean | string | object[] }) =>
    lab.patch('planruns', name, { spec: spec as never });

  const steeringEvents = (instance: string) =>
    lab.reasons(instance).filter((reason) => /^Run[A-Z]/.test(reason ?? '') && reason !== 'RunQueued');

  it('is made for each execution, says why it began and how it ended, and is numbered by plan', async () => {
    await lab.deploy('db', quick);
    await lab.edit('db', { parameters: { A: 'b' } }, 'deploy');
    await lab.edit('db', { parameters: { A: 'b', PASSWORD: 'hunter2-text' } }, 'quick');
    await lab.edit('db', { planExecution: { planName: 'quick', uid: 'asked', status: 'NEVER_RUN' } }, 'quick');
    const runs = lab.runs('db').map(({ metadata, spec, status }) => [metadata.name, spec?.cause, status?.status]);
    expect(runs).toEqual([
      ['db-deploy-1', 'Create', 'COMPLETE'],
      ['db-deploy-2', 'Parameters', 'COMPLETE'],
      ['db-quick-1', 'Parameters', 'COMPLETE'],
      ['db-quick-2', 'Manual', 'COMPLETE'],
    ]);
    const [, second, third] = lab.runs('db');
    expect(second?.status).toMatchObject({
      changes: [{ name: 'A', after: 'b' }],
      phases: [{ name: 'main', status: 'COMPLETE', steps: [{ status: 'COMPLETE' }] }],
      operatorVersion: 'db-1',
    });
    expect(second?.status?.startedAt).toBeDefined();
    expect(second?.status?.finishedAt).toBeDefined();
    const [change] = third?.status?.changes ?? [];
    expect(change).toMatchObject({ name: 'PASSWORD', secret: true });
    expect(JSON.stringify(lab.runs('db'))).not.toContain('hunter2');
  });

  it('costs two requests a plan, and one when objects are applied', async () => {
    await lab.deploy('cost', quick);
    expect(lab.writes('planruns', 'cost-deploy-1').map(({ method }) => method)).toEqual(['POST', 'PUT']);
  });

  it('keeps what the tasks applied, with the difference to before, and no secret text', async () => {
    const data = '{{ .Params.A }} {{ .Params.PASSWORD }}';
    const configMap = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Name }}"}\ndata: {text: "${data}"}\n`;
    const secret = `apiVersion: v1\nkind: Secret\nmetadata: {name: "{{ .Name }}"}\nstringData: {key: "${data}"}\n`;
    const parameters = [
      { name: 'A', default: 'first' },
      { name: 'PASSWORD', default: 'hunter2-text' },
    ];
    const tasks = [{ name: 'both', kind: 'Apply', spec: { resources: ['c.yaml', 's.yaml'] } }];
    const templates = { 'c.yaml': configMap, 's.yaml': secret };
    await lab.deploy('kept', { parameters, tasks, templates, plans: { deploy: plan(['run', 'both']) } });
    await lab.edit('kept', { parameters: { A: 'second' } }, 'deploy');
    const recordOf = (name: string) =>
      engine
        .run(readRunRecord(engine.people, lab.find('planruns', name) as PlanRun))
        .then((record) => record?.tasks[0]);
    expect((await recordOf('kept-deploy-1'))?.objects.map(({ kind, change }) => [kind, change])).toEqual([
      ['ConfigMap', 'created'],
      ['Secret', 'created'],
    ]);
    const second = await recordOf('kept-deploy-2');
    const fingerprint = /^[0-9a-f]{8}:[0-9a-f]{32}$/;
    expect(second?.objects).toMatchObject([
      { name: 'kept', change: 'changed', diff: { data: { text: expect.stringMatching(/^second [0-9a-f]{8}:/) } } },
      { name: 'kept', change: 'changed', diff: { stringData: { key: expect.stringMatching(fingerprint) } } },
    ]);
    expect(second?.manifests.map(({ kind }) => kind)).toEqual(['ConfigMap', 'Secret']);
    expect(JSON.stringify([await recordOf('kept-deploy-1'), second])).not.toContain('hunter2');
  });

  it('keeps the events of what failed', async () => {
    const job =
      'apiVersion: batch/v1\nkind: Job\nmetadata: {name: "{{ .Name }}"}\nspec: {backoffLimit: 0, template: {spec: {restartPolicy: Never, containers: [{name: c, image: "busybox", command: [sh, -c, "exit 3"]}]}}}\n';
    const tasks = [{ name: 'job', kind: 'Apply', spec: { resources: ['j.yaml'] } }];
    const spec = { tasks, templates: { 'j.yaml': job }, plans: { deploy: plan(['run', 'job']) } };
    await lab.deploy('fails', spec, {}, { status: 'FATAL_ERROR' });
    const record = await engine.run(readRunRecord(engine.people, lab.find('planruns', 'fails-deploy-1') as PlanRun));
    expect(record?.failure?.events.map(({ object }) => object)).toContain('Job/fails');
    expect(lab.runs('fails')[0]?.status?.message).toContain('Job fails');
  });

  it('shows no value that a parameter gets from a Secret, also when the operator does not call it secret', async () => {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'login-word' } };
    await lab.put('secrets', { ...secret, stringData: { word: 'hunter2-text' } });
    const job =
      'apiVersion: batch/v1\nkind: Job\nmetadata: {name: "{{ .Name }}"}\nspec: {backoffLimit: 0, template: {spec: {restartPolicy: Never, containers: [{name: c, image: busybox, command: [sh, -c, "echo {{ .Params.WORD }} is wrong; exit 3"]}]}}}\n';
    const tasks = [{ name: 'job', kind: 'Apply', spec: { resources: ['j.yaml'] } }];
    const spec = {
      tasks,
      parameters: [{ name: 'WORD' }],
      templates: { 'j.yaml': job },
      plans: { deploy: plan(['run', 'job']) },
    };
    const parametersFrom = [{ name: 'WORD', secretKeyRef: { name: 'login-word', key: 'word' } }];
    await lab.put('instances', {
      apiVersion: 'kudo.dev/v1beta1',
      kind: 'Instance',
      metadata: { name: 'hushed', namespace: 'runs' },
      spec: { operatorVersion: { name: await lab.operator('hushed', spec) }, parametersFrom },
    });
    await lab.ends('hushed', 'deploy', { status: 'FATAL_ERROR' });
    const run = lab.find('planruns', 'hushed-deploy-1') as PlanRun;
    const record = await engine.run(readRunRecord(engine.people, run));
    expect(record?.failure?.logs[0]?.text).toMatch(/^[0-9a-f]{8}:[0-9a-f]{32} is wrong$/);
    expect(JSON.stringify([run, record])).not.toContain('hunter2');
  });

  it('stops after the phase that the request names, and goes on when that is taken back', async () => {
    const request = JSON.stringify({ plan: 'deploy', stopAfter: 'main', reason: 'look at it first' });
    const phases = [
      ...(plan(['main', 'done']).phases ?? []),
      { name: 'rest', steps: [{ name: 's', tasks: ['done'] }] },
    ];
    const version = await lab.operator('halts', { ...quick, plans: { deploy: { strategy: 'serial', phases } } });
    await lab.create('halts', version, {}, { annotations: { [REQUEST_ANNOTATION]: request } });
    const run = await lab.run('halts-deploy-1', 'Paused');
    expect(run.spec?.reason).toBe('look at it first');
    expect(run.status?.message).toBe(
      'Stopped after phase main, before step s of phase rest. Resume or cancel the run.',
    );
    expect(lab.instance('halts').status?.planStatus?.deploy).toMatchObject({
      status: 'IN_PROGRESS',
      message: run.status?.message,
    });
    expect(lab.instance('halts').metadata.annotations).not.toHaveProperty([REQUEST_ANNOTATION]);
    await steer('halts-deploy-1', { stopAfter: '' });
    await lab.ends('halts', 'deploy');
    const ended = await lab.run('halts-deploy-1', 'COMPLETE');
    expect(ended.status?.steering?.map(({ event }) => event)).toEqual(['StopAfter', 'Paused', 'Resumed']);
    expect(steeringEvents('halts')).toEqual(['RunStopAfter', 'RunPaused', 'RunResumed']);
    expect(ended.status).not.toHaveProperty('message');
  });

  it('is held before the next step while it is paused, and a skipped step counts as done', async () => {
    await lab.create('held', await lab.operator('held', twoPhases));
    await lab.step('held', 'deploy.one.wait', 'IN_PROGRESS');
    await steer('held-deploy-1', { paused: true, skip: [{ phase: 'one', step: 'wait', reason: 'done by hand' }] });
    await lab.run('held-deploy-1', 'Paused');
    expect(lab.stepNow('held', 'deploy.one.wait')).toMatchObject({
      status: 'COMPLETE',
      message: 'Skipped: done by hand',
    });
    expect(lab.stepNow('held', 'deploy.two.end')).toMatchObject({ status: 'PENDING' });
    await engine.pass(3_600_000);
    expect(lab.instance('held').status?.conditions?.map(({ type }) => type)).not.toContain('Stalled');
    await steer('held-deploy-1', { paused: false });
    await lab.ends('held', 'deploy');
    const ended = await lab.run('held-deploy-1', 'COMPLETE');
    expect(ended.status?.heldSeconds).toBeGreaterThan(3_500);
    expect(ended.status?.steering?.map(({ event }) => event)).toEqual(['Paused', 'Skipped', 'Resumed']);
    expect(steeringEvents('held')).toEqual(['RunPaused', 'RunSkipped', 'RunResumed']);
  });

  it('says when a phase to stop after is chosen while it runs, and when that is taken back', async () => {
    await lab.create('chosen', await lab.operator('chosen', twoPhases));
    await lab.step('chosen', 'deploy.one.wait', 'IN_PROGRESS');
    for (const stopAfter of ['one', '']) {
      await steer('chosen-deploy-1', { stopAfter });
      await engine.pass(5_000);
    }
    await steer('chosen-deploy-1', { skip: [{ phase: 'one', step: 'wait' }] });
    await lab.ends('chosen', 'deploy');
    const ended = await lab.run('chosen-deploy-1', 'COMPLETE');
    expect(ended.status?.steering?.map(({ message }) => message)).toEqual([
      'The run is to stop after phase one.',
      'The run is to go to its end.',
      'Step wait of phase one is skipped.',
    ]);
    expect(steeringEvents('chosen')).toEqual(['RunStopAfter', 'RunStopAfter', 'RunSkipped']);
  });

  it('ends when it is cancelled, and the Instance says what is half done', async () => {
    await lab.create('stop', await lab.operator('stop', twoPhases));
    await lab.step('stop', 'deploy.one.wait', 'IN_PROGRESS');
    await steer('stop-deploy-1', { cancelled: true });
    const instance = await lab.ends('stop', 'deploy', { status: 'FATAL_ERROR' });
    expect(instance.status?.planStatus?.deploy?.message).toBe(
      'The run was cancelled. Half done: one/wait; 1 step did not begin. What was applied stays as it is.',
    );
    const cancelled = await lab.run('stop-deploy-1', 'Cancelled');
    expect(cancelled.status?.steering?.map(({ event }) => event)).toEqual(['Cancelled']);
    expect(steeringEvents('stop')).toEqual(['RunCancelled']);
    await expect(steer('stop-deploy-1', { cancelled: false })).rejects.toThrow('a cancelled run cannot go on');
    await expect(steer('stop-deploy-1', { plan: 'other' })).rejects.toThrow('plan says which run this is');
  });

  it('repeats a failed run from the step that failed, and from the start when a parameter has changed', async () => {
    const fails = { name: 'fails', kind: 'Dummy', spec: { wantErr: true, fatal: true } };
    const configMap =
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Name }}"}\ndata: {a: "{{ .Params.A }}"}\n';
    const write = { name: 'write', kind: 'Apply', spec: { resources: ['c.yaml'] } };
    const phases = [
      { name: 'one', strategy: 'serial', steps: [{ name: 'write', tasks: ['write'] }] },
      { name: 'two', strategy: 'serial', steps: [{ name: 'fail', tasks: ['fails'] }] },
    ];
    const spec = {
      ...twoPhases,
      tasks: [fails, write],
      templates: { 'c.yaml': configMap },
      plans: { deploy: { strategy: 'serial', phases } },
    };
    await lab.deploy('tried', spec, {}, { status: 'FATAL_ERROR' });
    const writes = () => lab.writes('configmaps', 'tried').filter(({ status }) => status < 300).length;
    const before = writes();
    const retry = async (retryOf: string, parameters: { [name: string]: string } = {}) => {
      const not = lab.instance('tried').status?.planStatus?.deploy?.uid;
      await lab.patch('instances', 'tried', {
        metadata: { annotations: { [REQUEST_ANNOTATION]: JSON.stringify({ plan: 'deploy', retryOf }) } },
        spec: { parameters, planExecution: { planName: 'deploy', uid: `after ${retryOf}`, status: 'NEVER_RUN' } },
      });
      return lab.ends('tried', 'deploy', { status: 'FATAL_ERROR', not });
    };
    await retry('tried-deploy-1');
    expect(writes()).toBe(before);
    expect(lab.stepNow('tried', 'deploy.one.write')?.status).toBe('COMPLETE');
    expect(lab.runs('tried')[1]?.spec).toMatchObject({ cause: 'Retry', retryOf: 'tried-deploy-1' });
    expect(lab.runs('tried')[1]?.status?.steering).toMatchObject([
      { event: 'Retried', message: 'Run tried-deploy-1 is repeated.' },
    ]);
    expect(steeringEvents('tried')).toEqual(['RunRetried']);
    await retry('tried-deploy-2', { A: 'other' });
    expect(writes()).toBe(before + 1);
  });

  it('leaves what a skipped step would have applied off the inventory', async () => {
    const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Name }}"}\n';
    const write = { name: 'write', kind: 'Apply', spec: { resources: ['c.yaml'] } };
    const phases = [
      { name: 'one', strategy: 'serial', steps: [{ name: 'wait', tasks: ['never'] }] },
      { name: 'two', strategy: 'serial', steps: [{ name: 'write', tasks: ['write'] }] },
    ];
    const spec = {
      tasks: [never, write],
      templates: { 'c.yaml': configMap },
      plans: { deploy: { strategy: 'serial', phases } },
    };
    const annotations = { 'bravo.kudo.dev/self-heal': 'on' };
    await lab.create('left', await lab.operator('left', spec), {}, { annotations });
    await lab.step('left', 'deploy.one.wait', 'IN_PROGRESS');
    await steer('left-deploy-1', {
      skip: [
        { phase: 'one', step: 'wait' },
        { phase: 'two', step: 'write', reason: 'not here' },
      ],
    });
    await lab.ends('left', 'deploy');
    await engine.pass(600_000);
    expect(lab.find('configmaps', 'left')).toBeUndefined();
  });

  it('is ended when another execution takes its place', async () => {
    await lab.create('replaced', await lab.operator('replaced', twoPhases));
    await lab.step('replaced', 'deploy.one.wait', 'IN_PROGRESS');
    await lab.patch('instances', 'replaced', { spec: { parameters: { A: 'again' } } });
    await lab.run('replaced-deploy-1', 'FATAL_ERROR');
    expect(lab.runs('replaced').map(({ spec }) => spec?.cause)).toEqual(['Create', 'Parameters']);
  });

  it('is ended when its Instance goes', async () => {
    await lab.create('going', await lab.operator('going', twoPhases));
    await lab.step('going', 'deploy.one.wait', 'IN_PROGRESS');
    await lab.remove('instances', 'going');
    const ended = await lab.run('going-deploy-1', 'FATAL_ERROR');
    expect(ended.status?.message).toBe('The Instance was deleted.');
  });

  it('is adopted by the next controller, and made only once', async () => {
    await lab.create('again', await lab.operator('again', twoPhases));
    await lab.step('again', 'deploy.one.wait', 'IN_PROGRESS');
    await engine.pass(5_000);
    await engine.stopController();
    await engine.startController();
    await engine.pass(60_000);
    await steer('again-deploy-1', { skip: [{ phase: 'one', step: 'wait' }] });
    await lab.ends('again', 'deploy');
    await lab.run('again-deploy-1', 'COMPLETE');
    expect(lab.runs('again')).toHaveLength(1);
  });

  it('is made although the first request for it came to nothing', async () => {
    let isBroken = true;
    engine.refuse(({ method, path }) => {
      if (!isBroken || method !== 'POST' || !path.includes('planruns')) return undefined;
      isBroken = false;
      throw Object.assign(new Error('handshake'), { code: 'CERT_HAS_EXPIRED' });
    });
    await lab.deploy('late', quick);
    engine.refuse(undefined);
    expect(lab.runs('late').map(({ status }) => status?.status)).toEqual(['COMPLETE']);
  });

  it('is no condition of a plan: a controller that may not write records runs it all the same', async () => {
    engine.refuse(({ path }) => (path.includes('planruns') ? 403 : undefined));
    await lab.deploy('alone', quick);
    engine.refuse(undefined);
    expect(lab.runs('alone')).toEqual([]);
    expect(engine.problems).toContain('run.not-recorded');
  });
});

describe('the records of runs in the course of time', () => {
  it('go when there are too many of a plan, and are kept when their Instance is gone', async () => {
    const engine = await startVirtualEngine();
    try {
      const lab = await Lab.open(engine, 'many');
      await engine.startController();
      await lab.deploy('db', quick);
      for (let n = 2; n <= 23; n++) await lab.edit('db', { parameters: { A: String(n) } }, 'deploy');
      await engine.pass(301_000);
      const names = lab.runs('db').map(({ metadata }) => metadata.name);
      expect(names).toHaveLength(20);
      expect(names).toContain('db-deploy-23');
      expect(names).not.toContain('db-deploy-3');
      const secrets = engine.sandbox.api.list({ group: '', version: 'v1', resource: 'secrets', namespace: 'many' });
      expect(secrets.filter(({ type }) => type === 'bravo.kudo.dev/run-record').length).toBeLessThanOrEqual(20);
      await lab.remove('instances', 'db');
      await engine.pass(301_000);
      expect(lab.runs('db')).toHaveLength(20);
      expect(lab.runs('db').filter(({ status }) => status?.instanceGoneAt !== undefined)).toHaveLength(1);
    } finally {
      await engine.stop();
    }
  });
});

describe('the outputs of a run', () => {
  it('are what its Jobs said in their termination messages, and stay when a later step deletes the Job', async () => {
    const engine = await startVirtualEngine({ mode: 'no-pods' });
    try {
      const lab = await Lab.open(engine, 'outputs');
      await engine.startController();
      const job =
        'apiVersion: batch/v1\nkind: Job\nmetadata: {name: "{{ .Name }}"}\nspec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: busybox}]}}}\n';
      const tasks = ['Apply', 'Delete'].map((kind) => ({ name: kind, kind, spec: { resources: ['j.yaml'] } }));
      const steps = tasks.map(({ name }) => ({ name, tasks: [name] }));
      const deploy = { strategy: 'serial', phases: [{ name: 'main', strategy: 'serial', steps }] };
      await lab.create('db', await lab.operator('db', { tasks, templates: { 'j.yaml': job }, plans: { deploy } }));
      const pods = () => engine.sandbox.api.list({ group: '', version: 'v1', resource: 'pods', namespace: 'outputs' });
      await engine.until('the pod of the Job exists', () => pods().length === 1);
      const backup = { type: 'backup', name: 'b1', size: 5, createdAt: '2026-01-01T00:00:00Z' };
      const terminated = { exitCode: 0, reason: 'Completed', message: JSON.stringify({ outputs: [backup] }) };
      const container = {
        name: 'c',
        ready: false,
        restartCount: 0,
        image: 'busybox',
        imageID: '',
        state: { terminated },
      };
      const status = { phase: 'Succeeded', containerStatuses: [container] };
      await lab.patch('pods', pods()[0]?.metadata.name ?? '', { status }, 'status');
      await lab.ends('db', 'deploy');
      expect(lab.find('jobs', 'db')).toBeUndefined();
      expect(lab.runs('db')[0]?.status?.outputs).toEqual([backup]);
    } finally {
      await engine.stop();
    }
  });
});
