import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arrayAt, type JsonObject } from '@/lib/json/json';
import { taskBuildProblem } from '@/lib/kudo/plan/build-check';
import type { OperatorVersionSpec, PipeSpec } from '@/lib/kudo/types';
import { type EngineWorld, startWorld } from './engine-fixture';
import { Lab } from './lab';
import { apply, configMap, deployment, plan, task } from './templates';

let world: EngineWorld;
let lab: Lab;

beforeAll(async () => {
  world = await startWorld();
  await world.startController();
  lab = await Lab.open(world, 'pipes');
});
afterAll(() => world?.stop());

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
const put = (path: string, text: string | Uint8Array) => world.files.contents.set(path, Buffer.from(text));
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

  it('PIP-15 PIP-17 PIP-24 runs its pod, keeps what it made, owned and labelled, and removes the pod', async () => {
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
        containers: [{ name: 'waiter', image: 'busybox', command: ['/bin/sh', '-c'], args: ['sleep infinity'] }],
      },
    });
    const kept = lab.find('secrets', `${artifact('pip15')}.foo`);
    expect(kept).toMatchObject({
      type: 'Opaque',
      metadata: { labels: { heritage: 'kudo' }, ownerReferences: [{ kind: 'Instance', name: 'pip15' }] },
    });
    expect(decoded(kept?.data, 'foo.txt')).toBe('hello');
    await world.until('the pod is gone', () => lab.find('pods', `${artifact('pip15')}.pipepod`) === undefined, 120_000);
  });

  it('PIP-16 waits for its pod', async () => {
    await lab.create('pip16', await lab.operator('pip16', piping([secret], podOf('', 'nonexistent'))));
    await world.until('the pod is there', () => lab.find('pods', `${artifact('pip16')}.pipepod`) !== undefined);
    await world.pass(120_000);
    expect(lab.stepNow('pip16', 'deploy.main.run')).toMatchObject({
      status: 'IN_PROGRESS',
      message: expect.stringContaining('ImagePullBackOff'),
    });
    expect(lab.find('secrets', `${artifact('pip16')}.foo`)).toBeUndefined();
  });

  it('PIP-18 PIP-19 PIP-20 files and env files go to Secrets and ConfigMaps', async () => {
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

  it('PIP-21 tries again while the env file is none', async () => {
    put('/out/bad-env', 'no equals sign\n');
    await lab.create(
      'pip21',
      await lab.operator('pip21', piping([{ envFile: '/out/bad-env', kind: 'Secret', key: 'k' }])),
    );
    await lab.step('pip21', 'deploy.main.run', 'ERROR');
    put('/out/bad-env', 'a=b\n');
    await lab.ends('pip21', 'deploy');
  });

  it('PIP-22 takes a file of 1,048,576 bytes, and one byte more ends the plan', async () => {
    put('/out/large', Buffer.alloc(1_048_577, 'x'));
    await lab.deploy('pip22', piping([{ ...secret, file: '/out/large' }]), {}, { status: 'FATAL_ERROR' });
    expect(lab.reasons('pip22')).toContain('PipeTaskError');
    expect(lab.stepNow('pip22', 'deploy.main.run')?.message).toContain('has 1048577 bytes');
    put('/out/large', Buffer.alloc(1_048_576, 'x'));
    await lab.create('pip22b', await lab.operator('pip22b', piping([{ ...secret, file: '/out/large' }])));
    await lab.ends('pip22b', 'deploy');
    expect(decoded(lab.find('secrets', `${artifact('pip22b')}.foo`)?.data, 'large')).toHaveLength(1_048_576);
  });

  it('PIP-23 ends the plan when its file is not there; (differs, T-26) a broken connection is tried again', async () => {
    await lab.deploy('pip23', piping([{ ...secret, file: '/out/missing' }]), {}, { status: 'FATAL_ERROR' });
    expect(lab.reasons('pip23')).toContain('PipeTaskError');
    put('/out/foo.txt', 'hello');
    world.files.breakNext(1);
    await lab.deploy('pip23b', piping([secret]));
    expect(decoded(lab.find('secrets', `${artifact('pip23b')}.foo`)?.data, 'foo.txt')).toBe('hello');
  });

  it('PIP-25 run again, artifacts keep their names and have the new content', async () => {
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
  it('T-26 another image keeps the files, and a pod that never makes them ends the plan', async () => {
    const other = await startWorld({ pipePods: { image: 'registry.example.org/box:1', timeoutMs: 120_000 } });
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
  /** What the API server says of pods there, as far as the pod of a pipe is concerned. */
  const restrict = async () => {
    const policies = { group: 'admissionregistration.k8s.io', version: 'v1' };
    const make = (resource: string, kind: string, spec: JsonObject) =>
      world.run(
        world.people.create(
          { ...policies, resource },
          { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name: 'restricted' }, spec },
        ),
      );
    const isDropped = 'c.?securityContext.?capabilities.?drop.orValue([]).exists(d, d == "ALL")';
    await make('validatingadmissionpolicies', 'ValidatingAdmissionPolicy', {
      matchConstraints: {
        resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
      },
      matchConditions: [{ name: 'here', expression: 'request.namespace == "restricted"' }],
      validations: [
        {
          expression: `object.spec.?securityContext.?runAsNonRoot.orValue(false) && (object.spec.containers + object.spec.initContainers).all(c, ${isDropped})`,
          message: 'violates PodSecurity "restricted:latest"',
          reason: 'Forbidden',
        },
      ],
    });
    await make('validatingadmissionpolicybindings', 'ValidatingAdmissionPolicyBinding', {
      policyName: 'restricted',
      validationActions: ['Deny'],
    });
    return Lab.open(world, 'restricted');
  };

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
    const inside = new Lab(world, 'restricted');
    const wants = podOf('  securityContext: {runAsNonRoot: false}\n');
    await inside.create('loose', await inside.operator('loose', piping([secret], wants)));
    const step = await inside.step('loose', 'deploy.main.run', 'ERROR');
    expect(step.message).toContain('violates PodSecurity');
  });
});
