import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { taskBuildProblem } from '@/lib/kudo/plan/build-check';
import type { OperatorVersionSpec, TaskSpec } from '@/lib/kudo/types';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { apply, configMap, oneStep, plan, task } from '@/test/operators/templates';

let engine: VirtualEngine;
let lab: Lab;

beforeAll(async () => {
  engine = await startVirtualEngine();
  await engine.startController();
  lab = await Lab.open(engine, 'children');
});
afterAll(() => engine?.stop());

const done = task('done', 'Dummy', { done: true });
const child = (name: string, operator: string, more: TaskSpec = {}) =>
  task(name, 'KudoOperator', { package: operator, operatorVersion: '1', ...more });

describe('the dependencies of a plan', () => {
  const parent = (...tasks: ReturnType<typeof child>[]): OperatorVersionSpec => ({
    tasks: [...tasks, done],
    plans: {
      deploy: plan(['run', 'done']),
      children: plan(['run', ...tasks.map(({ name }) => name)]),
    },
  });
  const failure = (name: string) => lab.instance(name).status?.planStatus?.children?.message;
  const start = (name: string, status: 'COMPLETE' | 'FATAL_ERROR') =>
    lab.edit(name, { planExecution: { planName: 'children', uid: `${name}-uid` } }, 'children', { status });

  it('DEP-01 a plan continues when the OperatorVersion and Operator of its child exist', async () => {
    await lab.operator('dep01-kid', oneStep([done]));
    await lab.deploy('dep01', parent(child('kid', 'dep01-kid')));
    await start('dep01', 'COMPLETE');
    expect(lab.find('instances', 'dep01-dep01-kid')).toBeDefined();
  });

  it('DEP-02 (differs, T-33) a missing version ends the plans that use it, and only those', async () => {
    await lab.deploy('dep02', parent(child('kid', 'dep02-kid')));
    await start('dep02', 'FATAL_ERROR');
    expect(failure('dep02')).toContain('OperatorVersion dep02-kid-1');
    expect(lab.reasons('dep02')).toContain('MissingDependency');
  });

  it('DEP-03 (differs, T-33) a missing Operator too', async () => {
    await lab.operator('dep03-kid', oneStep([done]));
    await lab.remove('operators', 'dep03-kid');
    await lab.deploy('dep03', parent(child('kid', 'dep03-kid')));
    await start('dep03', 'FATAL_ERROR');
    expect(failure('dep03')).toContain('Operator dep03-kid');
    expect(lab.reasons('dep03')).toContain('MissingDependency');
  });

  it('DEP-04 operators that need each other end the plan, and the message names the circle', async () => {
    await lab.operator('dep04-b', parent(child('back', 'dep04')));
    await lab.deploy('dep04', parent(child('b', 'dep04-b')));
    await start('dep04', 'FATAL_ERROR');
    expect(failure('dep04')).toContain('dep04-1 → dep04-b-1 → dep04-1');
    expect(lab.reasons('dep04')).toContain('CircularDependency');
  });

  it('DEP-05 one operator that two others need is not a circle', async () => {
    await lab.operator('dep05-c', oneStep([done]));
    await lab.operator('dep05-b', oneStep([child('c', 'dep05-c', { instanceName: 'dep05-c-of-b' })]));
    await lab.deploy('dep05', parent(child('b', 'dep05-b'), child('c', 'dep05-c')));
    await start('dep05', 'COMPLETE');
  });

  it('DEP-06 a child is not checked', async () => {
    await lab.operator('dep06-kid', oneStep([child('gone', 'dep06-gone'), done]));
    const spec = { planExecution: { planName: '' }, operatorVersion: { name: 'dep06-kid-1' } };
    await lab.deploy('dep06', oneStep([done]));
    const owner = {
      apiVersion: 'kudo.dev/v1beta1',
      kind: 'Instance',
      name: 'dep06',
      uid: lab.instance('dep06').metadata.uid ?? '',
    };
    await lab.put('instances', {
      apiVersion: 'kudo.dev/v1beta1',
      kind: 'Instance',
      metadata: { name: 'dep06-child', namespace: lab.namespace, ownerReferences: [owner] },
      spec,
    });
    await engine.until(
      'the grandchild is looked up',
      () => lab.find('instances', 'dep06-child-dep06-gone') !== undefined,
    );
    expect(lab.reasons('dep06-child')).not.toContain('MissingDependency');
  });
});

describe('KudoOperator', () => {
  const kid: OperatorVersionSpec = {
    templates: { 'c.yaml': configMap('{{ .Name }}-config', '{value: "{{ .Params.PASSWORD }}"}') },
    tasks: [apply('a', 'c.yaml'), done],
    parameters: [
      { name: 'PASSWORD', default: 'none' },
      { name: 'SIZE', default: '1', trigger: 'resize' },
    ],
    plans: { deploy: plan(['run', 'a']), resize: plan(['run', 'done']), upgrade: plan(['run', 'a']) },
  };
  const parent = (operator: string, file?: string, more: TaskSpec = {}): OperatorVersionSpec =>
    oneStep([child('kid', operator, { ...(file === undefined ? {} : { parameterFile: 'params.yaml' }), ...more })], {
      ...(file === undefined ? {} : { templates: { 'params.yaml': file } }),
      parameters: [
        { name: 'BB_PASSWORD', default: 'secret' },
        { name: 'SIZE', default: '1' },
        { name: 'DROP', default: 'no' },
      ],
    });
  /** The parent is called NAME, the child's operator NAME-kid, the child Instance NAME-NAME-kid. */
  const family = async (name: string, file?: string, more: TaskSpec = {}) => {
    await lab.operator(`${name}-kid`, kid);
    return lab.deploy(name, parent(`${name}-kid`, file, more));
  };

  it.each([
    ['package', { package: '', operatorVersion: '1' }],
    ['operatorVersion', { package: 'kid', operatorVersion: '' }],
  ])('KOP-01 without %s it cannot be built', (what, spec) => {
    expect(taskBuildProblem(task('k', 'KudoOperator', spec))).toContain(`${what} must not be empty`);
  });

  it('KOP-02 KOP-04 KOP-05 a child is created, named after both, with an owner reference; the parent ends after it', async () => {
    const { metadata } = await family('kop02');
    const made = lab.instance('kop02-kop02-kid');
    expect(made.metadata.labels).toEqual({ 'kudo.dev/operator': 'kop02-kid' });
    expect(made.metadata.ownerReferences).toEqual([
      { apiVersion: 'kudo.dev/v1beta1', kind: 'Instance', name: 'kop02', uid: metadata.uid },
    ]);
    expect(made.spec).toMatchObject({ operatorVersion: { name: 'kop02-kid-1' } });
    expect(made.spec?.operatorVersion).toEqual({ name: 'kop02-kid-1' });
    expect(made.spec?.parameters ?? {}).toEqual({});
    expect(made.status?.planStatus?.deploy?.status).toBe('COMPLETE');
  });

  it('KOP-03 a child can be given its name', async () => {
    await family('kop03', undefined, { instanceName: 'zk' });
    expect(lab.instance('zk').metadata.ownerReferences?.[0]?.name).toBe('kop03');
  });

  it('KOP-06 KOP-10 parameters are rendered; the same values again change nothing', async () => {
    await family('kop06', 'PASSWORD: {{ .Params.BB_PASSWORD }}\n');
    expect(lab.instance('kop06-kop06-kid').spec?.parameters).toEqual({ PASSWORD: 'secret' });
    const before = lab.instance('kop06-kop06-kid').metadata.resourceVersion;
    await lab.edit('kop06', { planExecution: { planName: 'deploy', uid: 'again' } }, 'deploy');
    expect(lab.instance('kop06-kop06-kid').metadata.resourceVersion).toBe(before);
  });

  it.each([
    ['KOP-07 a parameter that is not defined', 'kop07', 'A: {{ .Params.NONE }}\n'],
    ['KOP-08 the name of the plan', 'kop08a', 'A: {{ .PlanName }}\n'],
    ['KOP-08 a pipe', 'kop08b', 'A: {{ .Pipes.key }}\n'],
    ['KOP-09 a value that is null', 'kop09', 'A:\n'],
    ['KOP-09 what is no map', 'kop09b', '- a\n'],
  ])('%s in the parameter file ends the plan', async (_what, name, file) => {
    await lab.operator(`${name}-kid`, kid);
    await lab.deploy(name, parent(`${name}-kid`, file), {}, { status: 'FATAL_ERROR' });
    expect(lab.reasons(name)).toContain('TaskRenderingError');
  });

  it('KOP-07 a missing parameter file ends the plan', async () => {
    await lab.operator('kop07c-kid', kid);
    const spec = oneStep([child('kid', 'kop07c-kid', { parameterFile: 'none.yaml' })]);
    await lab.deploy('kop07c', spec, {}, { status: 'FATAL_ERROR' });
    expect(lab.reasons('kop07c')).toContain('TaskRenderingError');
  });

  it('KOP-11 KOP-13 (differs, T-32) a change runs the child’s plan, and a removed key is removed from the child', async () => {
    await family('kop11', '{{ if eq .Params.DROP "no" }}SIZE: "{{ .Params.SIZE }}"{{ end }}\n');
    const name = 'kop11-kop11-kid';
    await lab.edit('kop11', { parameters: { SIZE: '3' } }, 'deploy');
    expect(lab.instance(name).spec?.parameters).toEqual({ SIZE: '3' });
    const resized = lab.instance(name).status?.planStatus?.resize;
    expect(resized?.status).toBe('COMPLETE');
    await lab.edit('kop11', { parameters: { SIZE: '3', DROP: 'yes' } }, 'deploy');
    expect(lab.instance(name).spec?.parameters ?? {}).toEqual({});
    expect(lab.instance(name).status?.planStatus?.resize?.uid).not.toBe(resized?.uid);
  });

  it('KOP-12 a new version of the child runs the child’s upgrade plan', async () => {
    await family('kop12');
    await lab.operator('kop12-kid', { ...kid, version: '2' });
    const spec = oneStep([child('kid', 'kop12-kid', { operatorVersion: '2' })], { version: '2' });
    const version = await lab.operator('kop12', spec);
    await lab.edit('kop12', { operatorVersion: { name: version } }, 'deploy');
    const made = lab.instance('kop12-kop12-kid');
    expect(made.spec?.operatorVersion).toEqual({ name: 'kop12-kid-2' });
    expect(made.status?.planStatus?.upgrade?.status).toBe('COMPLETE');
  });

  it('KOP-14 without a webhook the parent waits for a child that runs another plan, then changes it', async () => {
    const never = task('never', 'Dummy');
    await lab.operator('kop14-kid', {
      ...kid,
      tasks: [...(kid.tasks ?? []), never],
      plans: { ...kid.plans, hang: plan(['run', 'never']) },
    });
    await lab.deploy('kop14', parent('kop14-kid', 'PASSWORD: "{{ .Params.BB_PASSWORD }}"\n'));
    const name = 'kop14-kop14-kid';
    await lab.patch('instances', name, { spec: { planExecution: { planName: 'hang', uid: 'hang' } } });
    await lab.step(name, 'hang.main.run', 'IN_PROGRESS');
    await lab.patch('instances', 'kop14', { spec: { parameters: { BB_PASSWORD: 'new' } } });
    await lab.step('kop14', 'deploy.main.run', 'IN_PROGRESS');
    await engine.pass(120_000);
    expect(lab.stepNow('kop14', 'deploy.main.run')?.status).toMatch(/IN_PROGRESS|ERROR/);
    await lab.patch('instances', name, {
      spec: { planExecution: { planName: 'hang', uid: 'hang', status: 'COMPLETE' } },
    });
    await lab.ends('kop14', 'deploy');
    expect(lab.find('configmaps', `${name}-config`)?.data).toEqual({ value: 'new' });
  });

  it('KOP-15 (differs, T-03) a child that failed fails its parent', async () => {
    await lab.operator('kop15-kid', oneStep([task('bad', 'Dummy', { wantErr: true, fatal: true })]));
    await lab.deploy('kop15', oneStep([child('kid', 'kop15-kid')]), {}, { status: 'FATAL_ERROR' });
    expect(lab.stepNow('kop15', 'deploy.main.run')?.message).toContain('plan deploy ended in a fatal error');
    expect(lab.reasons('kop15')).toContain('FailedTerminalStateError');
  });

  it('KOP-16 a child is deleted with its parent, after its cleanup plan', async () => {
    const clean = { ...kid, plans: { ...kid.plans, cleanup: plan(['run', 'a', 'done']) } };
    await lab.operator('kop16-kid', clean);
    await lab.deploy('kop16', parent('kop16-kid'));
    await lab.remove('instances', 'kop16');
    await engine.until('both Instances are deleted', () => lab.find('instances', 'kop16-kop16-kid') === undefined);
    expect(lab.find('instances', 'kop16')).toBeUndefined();
    const ran = () =>
      lab.events('kop16-kop16-kid').some(({ message }) => message === 'Execution of plan cleanup started');
    await engine.until('its cleanup has run', ran);
  });

  it('KOP-17 a large number without quotes is written as KUDO wrote it', async () => {
    await family('kop17', 'SIZE: 1000000\nPASSWORD: "1000000"\n');
    expect(lab.instance('kop17-kop17-kid').spec?.parameters).toEqual({ SIZE: '1e+06', PASSWORD: '1000000' });
  });
});
