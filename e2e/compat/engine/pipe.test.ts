import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arrayAt, getAt, type JsonObject, parseJsonObject } from '@/lib/json/json';
import { taskBuildProblem } from '@/lib/kudo/plan/build-check';
import type { OperatorVersionSpec, PipeSpec } from '@/lib/kudo/types';
import { Lab } from '@/test/engine/lab';
import { type RefuseRequest, startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { apply, configMap, deployment, plan, task } from '@/test/operators/templates';

let engine: VirtualEngine;
let lab: Lab;

beforeAll(async () => {
  engine = await startVirtualEngine();
  await engine.startController();
  lab = await Lab.open(engine, 'pipes');
});
afterAll(() => engine?.stop());

const podOf = (spec = '', image = 'busybox') =>
  `apiVersion: v1
kind: Pod
metadata: {labels: {mine: "yes"}}
spec:
  volumes: [{name: out, emptyDir: {}}]
  initContainers:
  - {name: make, image: ${image}, command: [sh, -c, "true"], volumeMounts: [{name: out, mountPath: /out}]}
${spec}`;

const piping = (pipe: PipeSpec[], pod = podOf()): OperatorVersionSpec => ({
  templates: { 'pod.yaml': pod },
  tasks: [task('gen', 'Pipe', { pod: 'pod.yaml', pipe })],
  plans: { deploy: plan(['run', 'gen']) },
});
const secret: PipeSpec = { file: '/out/foo.txt', kind: 'Secret', key: 'Foo' };
const artifact = (name: string) => `${name}.deploy.main.run.gen`;
const put = (path: string, text: string | Uint8Array) => engine.files.contents.set(path, Buffer.from(text));
const decoded = (data: unknown, key: string) => Buffer.from(String((data as JsonObject)[key]), 'base64').toString();

describe('a Pipe', () => {
  it.each<[string, PipeSpec[], string]>([
    ['PIP-01 of another kind', [{ file: '/out/f', kind: 'Invalid', key: 'k' }], 'invalid pipe kind'],
    ['PIP-02 of nothing', [{ kind: 'Secret', key: 'k' }], 'either file or envFile'],
    ['PIP-02 of two things', [{ file: '/a', envFile: '/b', kind: 'Secret', key: 'k' }], 'either file or envFile'],
    ['PIP-03 with a strange key', [{ file: '/out/f', kind: 'Secret', key: '$Bar^' }], 'invalid pipe key'],
    ['without entries', [], 'must not be empty'],
  ])('%s cannot be built', (_what, pipe, problem) => {
    expect(taskBuildProblem(task('p', 'Pipe', { pod: 'pod.yaml', pipe }))).toContain(problem);
  });

  it.each([
    ['PIP-07 with containers', 'pip07', '  containers: [{name: c, image: i}]\n', '/out/f'],
    ['PIP-11 whose file lies elsewhere', 'pip11', '', '/var/foo.txt'],
    ['PIP-14 that is never restarted', 'pip14', '  restartPolicy: Never\n', '/out/f'],
  ])('%s ends the plan', async (_what, name, spec, file) => {
    await lab.deploy(name, piping([{ ...secret, file }], podOf(spec)), {}, { status: 'FATAL_ERROR' });
    expect(lab.reasons(name)).toContain('ResourceValidationError');
  });

  it('PIP-15 (differs, T-26) PIP-17 PIP-24 runs its pod, stores its files with owner and labels, and deletes the pod', async () => {
    put('/out/foo.txt', 'hello');
    await lab.deploy('pip15', piping([secret]));
    const [made] = lab.writes('pods', `${artifact('pip15')}.pipepod`, 'POST');
    expect(made?.body).toMatchObject({
      metadata: {
        annotations: { 'kudo.dev/pipepod': 'true' },
        labels: { mine: 'yes', heritage: 'kudo', 'kudo.dev/instance': 'pip15' },
        ownerReferences: [{ kind: 'Instance', name: 'pip15', controller: true }],
      },
      spec: {
        restartPolicy: 'OnFailure',
        containers: [{ name: 'waiter', image: 'busybox:1.37.0', command: ['/bin/sh', '-c'], args: ['sleep infinity'] }],
      },
    });
    const kept = lab.find('secrets', `${artifact('pip15')}.foo`);
    expect(kept).toMatchObject({
      type: 'Opaque',
      metadata: { labels: { heritage: 'kudo' }, ownerReferences: [{ kind: 'Instance', name: 'pip15' }] },
    });
    expect(decoded(kept?.data, 'foo.txt')).toBe('hello');
    await engine.until(
      'the pod is deleted',
      () => lab.find('pods', `${artifact('pip15')}.pipepod`) === undefined,
      120_000,
    );
  });

  it('PIP-16 waits for its pod', async () => {
    await lab.create('pip16', await lab.operator('pip16', piping([secret], podOf('', 'nonexistent'))));
    await engine.until('the pod exists', () => lab.find('pods', `${artifact('pip16')}.pipepod`) !== undefined);
    await engine.pass(120_000);
    expect(lab.stepNow('pip16', 'deploy.main.run')).toMatchObject({
      status: 'IN_PROGRESS',
      message: expect.stringContaining('ImagePullBackOff'),
    });
    expect(lab.find('secrets', `${artifact('pip16')}.foo`)).toBeUndefined();
  });

  it('PIP-18 PIP-19 PIP-20 files and env files are stored in Secrets and ConfigMaps', async () => {
    put('/out/env', 'enemies=aliens\nlives=3\nallowed="true"\n');
    put('/out/bar.txt', 'bytes');
    const pipe = [
      { envFile: '/out/env', kind: 'Secret', key: 'senv' },
      { envFile: '/out/env', kind: 'ConfigMap', key: 'cenv' },
      { file: '/out/bar.txt', kind: 'ConfigMap', key: 'cfile' },
    ];
    await lab.deploy('pip18', piping(pipe));
    const data = lab.find('secrets', `${artifact('pip18')}.senv`)?.data;
    expect(['enemies', 'lives', 'allowed'].map((key) => decoded(data, key))).toEqual(['aliens', '3', '"true"']);
    expect(lab.find('configmaps', `${artifact('pip18')}.cenv`)?.data).toEqual({
      enemies: 'aliens',
      lives: '3',
      allowed: '"true"',
    });
    expect(decoded(lab.find('configmaps', `${artifact('pip18')}.cfile`)?.binaryData, 'bar.txt')).toBe('bytes');
  });

  it('PIP-21 retries while the env file is invalid', async () => {
    put('/out/bad-env', 'no equals sign\n');
    await lab.create(
      'pip21',
      await lab.operator('pip21', piping([{ envFile: '/out/bad-env', kind: 'Secret', key: 'k' }])),
    );
    await lab.step('pip21', 'deploy.main.run', 'ERROR');
    put('/out/bad-env', 'a=b\n');
    await lab.ends('pip21', 'deploy');
  });

  it('PIP-22 accepts a file of 1,048,576 bytes, and one byte more ends the plan', async () => {
    put('/out/large', Buffer.alloc(1_048_577, 'x'));
    await lab.deploy('pip22', piping([{ ...secret, file: '/out/large' }]), {}, { status: 'FATAL_ERROR' });
    expect(lab.reasons('pip22')).toContain('PipeTaskError');
    expect(lab.stepNow('pip22', 'deploy.main.run')?.message).toContain('has 1048577 bytes');
    put('/out/large', Buffer.alloc(1_048_576, 'x'));
    await lab.create('pip22b', await lab.operator('pip22b', piping([{ ...secret, file: '/out/large' }])));
    await lab.ends('pip22b', 'deploy');
    expect(decoded(lab.find('secrets', `${artifact('pip22b')}.foo`)?.data, 'large')).toHaveLength(1_048_576);
  });

  it('PIP-23 ends the plan when its file is missing; (differs, T-26) a broken connection is retried', async () => {
    await lab.deploy('pip23', piping([{ ...secret, file: '/out/missing' }]), {}, { status: 'FATAL_ERROR' });
    expect(lab.reasons('pip23')).toContain('PipeTaskError');
    put('/out/foo.txt', 'hello');
    engine.files.breakNext(1);
    await lab.deploy('pip23b', piping([secret]));
    expect(decoded(lab.find('secrets', `${artifact('pip23b')}.foo`)?.data, 'foo.txt')).toBe('hello');
  });

  it('PIP-25 after a second run the artifacts have the same names and the new content', async () => {
    put('/out/foo.txt', 'first');
    await lab.deploy('pip25', piping([secret]));
    const name = `${artifact('pip25')}.foo`;
    const { uid } = lab.find('secrets', name)?.metadata ?? {};
    put('/out/foo.txt', 'second');
    await lab.edit('pip25', { planExecution: { planName: 'deploy', uid: 'again' } }, 'deploy');
    expect(lab.find('secrets', name)?.metadata.uid).toBe(uid);
    expect(decoded(lab.find('secrets', name)?.data, 'foo.txt')).toBe('second');
  });

  it('PIP-26 a later step mounts the artifact by the name of its key', async () => {
    put('/out/foo.txt', 'hello');
    const mount = '      volumes: [{name: v, secret: {secretName: "{{ .Pipes.Foo }}"}}]\n';
    const spec = piping([secret]);
    await lab.deploy('pip26', {
      ...spec,
      templates: { ...spec.templates, 'd.yaml': deployment('pip26', { podSpec: mount }), 'c.yaml': configMap('pip26') },
      tasks: [...(spec.tasks ?? []), apply('use', 'd.yaml', 'c.yaml')],
      plans: { deploy: plan(['run', 'gen'], ['use', 'use']) },
    });
    expect(arrayAt(lab.find('deployments', 'pip26')?.spec, 'template', 'spec', 'volumes')).toMatchObject([
      { secret: { secretName: `${artifact('pip26')}.foo` } },
    ]);
  });
});

describe('the settings of pipes', () => {
  it('T-26 another image can hold the files, and a pod that never writes them ends the plan', async () => {
    const other = await startVirtualEngine({ pipePods: { image: 'registry.example.org/box:1', timeoutMs: 120_000 } });
    await other.startController();
    const place = await Lab.open(other, 'settings');
    const started = other.clock.now();
    await place.create('slow', await place.operator('slow', piping([secret], podOf('', 'nonexistent'))));
    await place.step('slow', 'deploy.main.run', 'IN_PROGRESS');
    await other.pass(2_000);
    const pod = place.find('pods', `${artifact('slow')}.pipepod`);
    expect(arrayAt(pod, 'spec', 'containers')).toMatchObject([{ name: 'waiter', image: 'registry.example.org/box:1' }]);
    await place.ends('slow', 'deploy', { status: 'FATAL_ERROR' });
    expect(other.clock.now() - started).toBeGreaterThan(119_000);
    expect(other.clock.now() - started).toBeLessThan(190_000);
    expect(place.stepNow('slow', 'deploy.main.run')?.message).toMatch(
      /did not write its files in time \(BRAVO_PIPE_TIMEOUT\): Pod slow\.deploy.*ImagePull/,
    );
    await other.stop();
  });
});

describe('a Pipe in a namespace with Pod Security restricted', () => {
  /** The API server's answer to a pod there, as far as the pod of a pipe is concerned. */
  const podSecurity: RefuseRequest = ({ method, path, body }) => {
    if (method !== 'POST' || !path.startsWith('/api/v1/namespaces/restricted/pods')) return undefined;
    const pod = parseJsonObject(typeof body === 'string' ? body : '') ?? {};
    const containers = [...arrayAt(pod, 'spec', 'containers'), ...arrayAt(pod, 'spec', 'initContainers')];
    const dropsAll = containers.every((each) =>
      arrayAt(each, 'securityContext', 'capabilities', 'drop').includes('ALL'),
    );
    const isAllowed = getAt(pod, 'spec', 'securityContext', 'runAsNonRoot') === true && dropsAll;
    return isAllowed
      ? undefined
      : { code: 403, message: 'pods is forbidden: violates PodSecurity "restricted:latest"' };
  };
  const restrict = () => {
    engine.refuse(podSecurity);
    return Lab.open(engine, 'restricted');
  };
  afterAll(() => engine.refuse(undefined));

  it('makes its pod again as the level wants it, and goes on with that one', async () => {
    const inside = await restrict();
    put('/out/foo.txt', 'hello');
    const { status } = await inside.deploy('tight', piping([secret]));
    expect(status?.planStatus?.deploy?.status).toBe('COMPLETE');
    const made = inside.writes('pods', `${artifact('tight')}.pipepod`, 'POST');
    expect(made.map((call) => call.status)).toEqual([403, 201]);
    expect(inside.writes('pods', `${artifact('tight')}.pipepod`, 'PATCH')).toEqual([]);
    expect(decoded(inside.find('secrets', `${artifact('tight')}.foo`)?.data, 'foo.txt')).toBe('hello');
  });

  it('is refused still when its package asks for more than the level allows', async () => {
    const inside = new Lab(engine, 'restricted');
    const wants = podOf('  securityContext: {runAsNonRoot: false}\n');
    await inside.create('loose', await inside.operator('loose', piping([secret], wants)));
    const step = await inside.step('loose', 'deploy.main.run', 'ERROR');
    expect(step.message).toContain('violates PodSecurity');
  });
});
