import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { getAt } from '@/lib/json/json';
import { CLEANUP_FINALIZER, LAST_APPLIED_ANNOTATION } from '@/lib/kudo/names';
import type { ExecutionStatus, OperatorVersionSpec, Plan } from '@/lib/kudo/types';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { apply, configMap, deployment, plan, remove, task } from '@/test/operators/templates';
import { makeKudos } from './as-kudo-left-it';

const pipePod = `apiVersion: v1
kind: Pod
spec:
  volumes: [{name: out, emptyDir: {}}]
  initContainers:
  - {name: make, image: busybox, command: [sh, -c, "true"], volumeMounts: [{name: out, mountPath: /out}]}
`;
const job = (name: string, command: string) => `apiVersion: batch/v1
kind: Job
metadata: {name: ${name}}
spec:
  backoffLimit: 0
  template:
    spec: {restartPolicy: Never, containers: [{name: main, image: busybox, command: [${command}]}]}
`;
/** A ConfigMap whose finalizer blocks its deletion. */
const held = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: held, finalizers: [example.org/held]}\ndata: {a: b}\n';

describe('a plan that was in progress under KUDO', () => {
  let engine: VirtualEngine;
  let lab: Lab;

  beforeEach(async () => {
    engine = await startVirtualEngine();
    lab = await Lab.open(engine, 'taken');
    await engine.startController();
  });
  afterEach(() => engine?.stop());

  const change = async (during?: () => Promise<unknown>) => {
    await engine.stopController();
    await makeKudos(engine, 'taken');
    await during?.();
    engine.calls.length = 0;
    await engine.startController();
  };
  const begin = async (spec: OperatorVersionSpec, parameters: { [name: string]: string } = {}) => {
    await lab.create('app', await lab.operator('pond', spec), parameters);
  };
  const uidNow = () => lab.instance('app').spec?.planExecution?.uid;
  const uidOf = (resource: string, name: string) => lab.find(resource, name)?.metadata.uid;
  const steps = (name: string): (readonly [string, ExecutionStatus | undefined])[] =>
    (lab.instance('app').status?.planStatus?.[name]?.phases ?? []).flatMap((phase) =>
      (phase.steps ?? []).map((step) => [`${phase.name}.${step.name}`, step.status] as const),
    );

  it('continues each of its parallel phases, and runs no completed step again', async () => {
    const phase = (name: string, ...tasks: string[]) => ({
      name,
      strategy: 'parallel',
      steps: tasks.map((each) => ({ name: each, tasks: [each] })),
    });
    const deploy: Plan = {
      strategy: 'parallel',
      phases: [phase('left', 'fast', 'slow'), phase('right', 'late', 'never')],
    };
    await begin({
      templates: {
        'fast.yaml': configMap('fast'),
        'slow.yaml': deployment('slow', { image: 'never/pulled:missing' }),
        'late.yaml': configMap('late'),
      },
      tasks: [
        apply('fast', 'fast.yaml'),
        apply('slow', 'slow.yaml'),
        apply('late', 'late.yaml'),
        task('never', 'Dummy'),
      ],
      plans: { deploy },
    });
    await engine.until('the quick ones are done', () => lab.stepNow('app', 'deploy.right.late')?.status === 'COMPLETE');
    const [uid, fast, slow] = [uidNow(), uidOf('configmaps', 'fast'), uidOf('deployments', 'slow')];
    await change(() => lab.patch('operatorversions', 'pond-1', { spec: { tasks: ready(lab) } }));
    const after = await lab.ends('app', 'deploy', { not: undefined });
    expect([after.status?.planStatus?.deploy?.uid, uidOf('configmaps', 'fast')]).toEqual([uid, fast]);
    expect(uidOf('deployments', 'slow')).toBe(slow);
    expect(lab.writes('configmaps', 'fast').length + lab.writes('configmaps', 'late').length).toBe(0);
    expect(steps('deploy').map(([, status]) => status)).toEqual(Array(4).fill('COMPLETE'));
  });

  it('copies the files out of the existing pod of a Pipe, and creates no second one', async () => {
    await begin({
      templates: { 'pod.yaml': pipePod, 'use.yaml': configMap('use', '{from: "{{ .Pipes.Page }}"}') },
      tasks: [
        task('gen', 'Pipe', { pod: 'pod.yaml', pipe: [{ file: '/out/page', kind: 'ConfigMap', key: 'Page' }] }),
        apply('use', 'use.yaml'),
      ],
      plans: { deploy: plan(['gen', 'gen'], ['use', 'use']) },
    });
    const pod = 'app.deploy.main.gen.gen.pipepod';
    await engine.until('its pod exists', () => lab.find('pods', pod) !== undefined);
    const uid = uidNow();
    engine.files.contents.set('/out/page', Buffer.from('hello'));
    await change();
    const after = await lab.ends('app', 'deploy');
    expect(after.status?.planStatus?.deploy?.uid).toBe(uid);
    expect(lab.writes('pods', pod, 'POST')).toEqual([]);
    expect(lab.find('configmaps', 'app.deploy.main.gen.gen.page')?.binaryData).toEqual({ page: btoa('hello') });
    expect(lab.find('configmaps', 'use')?.data).toEqual({ from: 'app.deploy.main.gen.gen.page' });
    await engine.until('its pod is deleted', () => lab.find('pods', pod) === undefined, 120_000);
  });

  it.each([
    ['Delete', remove('drop', 'held.yaml'), {}],
    ['Toggle', task('drop', 'Toggle', { resources: ['held.yaml'], parameter: 'ON' }), { ON: 'false' }],
  ])('waits on for what a %s has deleted and something holds', async (_kind, drop, parameters) => {
    await begin(
      {
        parameters: [{ name: 'ON', default: 'true' }],
        templates: { 'held.yaml': held, 'end.yaml': configMap('end') },
        tasks: [apply('make', 'held.yaml'), drop, apply('end', 'end.yaml')],
        plans: { deploy: plan(['make', 'make'], ['drop', 'drop'], ['end', 'end']) },
      },
      parameters,
    );
    await engine.until(
      'the ConfigMap is being deleted',
      () => lab.find('configmaps', 'held')?.metadata.deletionTimestamp !== undefined,
    );
    const uid = uidNow();
    await change();
    await engine.pass(30_000);
    expect(lab.stepNow('app', 'deploy.main.drop')?.status).toBe('IN_PROGRESS');
    expect([lab.find('configmaps', 'end'), lab.writes('configmaps', 'held', 'POST')]).toEqual([undefined, []]);
    await lab.patch('configmaps', 'held', { metadata: { finalizers: null } });
    expect((await lab.ends('app', 'deploy')).status?.planStatus?.deploy?.uid).toBe(uid);
    expect([lab.find('configmaps', 'held'), lab.find('configmaps', 'end') !== undefined]).toEqual([undefined, true]);
  });

  it('does not replace a failed Job, and fails at it again when a user starts the plan', async () => {
    await begin({
      templates: { 'job.yaml': job('fails', '"false"') },
      tasks: [apply('a', 'job.yaml')],
      plans: { deploy: plan(['run', 'a']) },
    });
    await lab.ends('app', 'deploy', { status: 'FATAL_ERROR' });
    const was = uidOf('jobs', 'fails');
    await change();
    await engine.pass(60_000);
    expect([uidOf('jobs', 'fails'), lab.instance('app').status?.planStatus?.deploy?.status]).toEqual([
      was,
      'FATAL_ERROR',
    ]);
    await lab.edit('app', { planExecution: { planName: 'deploy', uid: 'again' } }, 'deploy', { status: 'FATAL_ERROR' });
    expect([uidOf('jobs', 'fails'), lab.reasons('app').at(-1)]).toEqual([was, 'FailedTerminalStateError']);
  });

  it.each([
    ['an empty one', { annotations: { [LAST_APPLIED_ANNOTATION]: '' } }],
    ['one that is null', { annotations: { [LAST_APPLIED_ANNOTATION]: 'null' } }],
    ['neither it nor any annotation', { annotations: null }],
  ])('writes the last-applied annotation of an object again that has %s', async (_what, metadata) => {
    await begin({
      templates: { 'conf.yaml': configMap('conf') },
      tasks: [apply('conf', 'conf.yaml')],
      plans: { deploy: plan(['conf', 'conf']) },
    });
    await lab.ends('app', 'deploy');
    await change(() => lab.patch('configmaps', 'conf', { metadata }));
    await lab.edit('app', { planExecution: { planName: 'deploy', uid: 'again' } }, 'deploy');
    const record = lab.find('configmaps', 'conf')?.metadata.annotations?.[LAST_APPLIED_ANNOTATION] ?? '';
    expect(JSON.parse(record)).toMatchObject({ kind: 'ConfigMap', data: { value: 'one' } });
  });

  it('waits for a suspended Job, and does not resume it', async () => {
    await begin({
      templates: { 'job.yaml': job('slow', '"sleep", "9"') },
      tasks: [apply('a', 'job.yaml')],
      plans: { deploy: plan(['run', 'a']) },
    });
    await engine.until('the Job slow exists', () => lab.find('jobs', 'slow') !== undefined);
    const uid = uidNow();
    await change(() => lab.patch('jobs', 'slow', { spec: { suspend: true } }));
    await lab.step('app', 'deploy.main.run', 'IN_PROGRESS');
    await engine.until(
      'it says why',
      () => lab.stepNow('app', 'deploy.main.run')?.message === 'Job slow: is suspended',
    );
    expect(lab.writes('jobs', 'slow')).toEqual([]);
    await lab.patch('jobs', 'slow', { spec: { suspend: false } });
    expect((await lab.ends('app', 'deploy')).status?.planStatus?.deploy?.uid).toBe(uid);
  });

  it('continues an upgrade with the steps and values of the new version', async () => {
    const version = (size: string, image: string): OperatorVersionSpec => ({
      parameters: [{ name: 'SIZE', default: size }],
      templates: {
        'conf.yaml': configMap('conf', '{size: "{{ .Params.SIZE }}"}'),
        'web.yaml': deployment('web', { image }),
      },
      tasks: [apply('conf', 'conf.yaml'), apply('web', 'web.yaml')],
      plans: { deploy: plan(['conf', 'conf'], ['web', 'web']), upgrade: plan(['conf', 'conf'], ['web', 'web']) },
    });
    await begin(version('1', 'nginx:1'));
    await lab.ends('app', 'deploy');
    const web = uidOf('deployments', 'web');
    const next = await lab.operator('pond', { ...version('2', 'nginx:2'), version: '2' });
    await lab.patch('instances', 'app', { spec: { operatorVersion: { name: next } } });
    await engine.until(
      'the upgrade is in progress',
      () => lab.stepNow('app', 'upgrade.main.conf')?.status === 'COMPLETE',
    );
    const uid = uidNow();
    await change();
    const after = await lab.ends('app', 'upgrade');
    expect(after.status?.planStatus?.upgrade?.uid).toBe(uid);
    expect(lab.writes('configmaps', 'conf')).toEqual([]);
    expect([uidOf('deployments', 'web'), lab.find('configmaps', 'conf')?.data]).toEqual([web, { size: '2' }]);
    expect(getAt(lab.find('deployments', 'web')?.spec, 'template', 'spec', 'containers', 0, 'image')).toBe('nginx:2');
  });

  it('waits for a missing OperatorVersion, says so, and continues under its uid when it exists again', async () => {
    const spec: OperatorVersionSpec = {
      templates: { 'web.yaml': deployment('web'), 'end.yaml': configMap('end') },
      tasks: [apply('web', 'web.yaml'), apply('end', 'end.yaml')],
      plans: { deploy: plan(['web', 'web'], ['end', 'end']) },
    };
    await begin(spec);
    await engine.until('the plan waits', () => lab.find('deployments', 'web') !== undefined);
    const [uid, web] = [uidNow(), uidOf('deployments', 'web')];
    await change(() => lab.remove('operatorversions', 'pond-1'));
    await engine.pass(120_000);
    expect([uidNow(), uidOf('deployments', 'web'), lab.find('configmaps', 'end')]).toEqual([uid, web, undefined]);
    expect(lab.reasons('app')).toContain('InvalidOperatorVersion');
    await lab.operator('pond', spec);
    expect((await lab.ends('app', 'deploy')).status?.planStatus?.deploy?.uid).toBe(uid);
    expect(uidOf('deployments', 'web')).toBe(web);
  });

  it.each([
    ['no JSON', '{{ not json'],
    ['no object', '[1]'],
    ['another shape', '{"operatorVersion":7,"parameters":["a"],"plan":{}}'],
    ['nothing', ''],
  ])('continues whatever the annotations contain: %s', async (_what, text) => {
    const spec: OperatorVersionSpec = {
      templates: { 'web.yaml': deployment('web') },
      tasks: [apply('web', 'web.yaml')],
      plans: { deploy: plan(['web', 'web']), cleanup: plan() },
    };
    await begin(spec);
    await engine.until('the plan waits', () => lab.find('deployments', 'web') !== undefined);
    const uid = uidNow();
    const names = [
      'bravo.kudo.dev/acted-upon',
      'bravo.kudo.dev/inventory',
      'bravo.kudo.dev/runs',
      'kudo.dev/last-applied-instance-state',
    ];
    const annotations = Object.fromEntries(names.map((name) => [name, text]));
    await change(() => lab.patch('instances', 'app', { metadata: { annotations } }));
    const after = await lab.ends('app', 'deploy');
    expect([after.status?.planStatus?.deploy?.uid, after.metadata.finalizers]).toEqual([uid, [CLEANUP_FINALIZER]]);
    expect(after.metadata.annotations?.['kudo.dev/last-applied-instance-state']).toBe(text);
  });
});

/** The tasks of the first test, each of which can end. */
function ready(lab: Lab) {
  const tasks = getAt(lab.find('operatorversions', 'pond-1')?.spec, 'tasks');
  return JSON.parse(JSON.stringify(tasks).replace('"kind":"Dummy","spec":{}', '"kind":"Dummy","spec":{"done":true}'));
}
