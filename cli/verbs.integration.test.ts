import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNamespace, type Engine, startEngine } from '@/test/engine/https-engine';
import { writePond } from '@/test/operators/pond-package';
import { projectRoot } from '@/test/programs/process';
import { runBravo as bravo } from '@/test/programs/run-bravo';

/** The verbs as suites call them: in a folder of their own, by the words of `kubectl kudo`. */
describe('the command line', () => {
  let engine: Engine;
  let folder: string;
  const home = process.cwd();

  beforeAll(async () => {
    engine = await startEngine();
    await createNamespace(engine.api, 'lab');
    folder = await mkdtemp(join(tmpdir(), 'bravo-verbs-'));
    await writeFile(join(folder, 'kubeconfig'), engine.sandbox.kubeconfig);
    for (const version of ['0.1.0', '0.2.0']) await writePond(join(folder, `pond-${version}`), version);
    await writeFile(join(folder, 'values.yaml'), 'LEVEL: debug\nFILE: from-file\n');
    process.chdir(folder);
    process.env.KUBECONFIG = join(folder, 'kubeconfig');
  });
  afterAll(async () => {
    process.chdir(home);
    delete process.env.KUBECONFIG;
    await engine?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const data = async (name: string) => {
    const place = { group: '', version: 'v1', resource: 'configmaps', namespace: 'lab', name };
    return (await engine.api.get(place))?.data;
  };

  it('CLI-029 shows no objects as an empty tree, as null, and as an end of documents', async () => {
    const heading = 'List of current installed instances in namespace "lab":\n.\n\n';
    expect(await bravo('get', 'instances', '-n', 'lab')).toEqual({ out: heading, err: '', code: 0 });
    expect((await bravo('get', 'all', '-n=lab', '-o', 'json')).out).toBe('null\n');
    expect((await bravo('get', 'all', '--namespace', 'lab', '--output=yaml')).out).toBe('...\n');
  });

  it('CLI-022 CLI-023 installs a folder with values of flags and files, and waits', async () => {
    const words = ['--instance', 'one', './pond-0.1.0', '-P', 'values.yaml', '-p=LEVEL=warn', '--namespace', 'lab'];
    expect(await bravo('install', ...words, '--wait=true', '--wait-time', '60')).toEqual({
      out: [
        'operator lab/pond created',
        'operatorversion lab/pond-0.1.0 created',
        'instance lab/one created',
        'instance lab/one ready',
        '',
      ].join('\n'),
      err: '',
      code: 0,
    });
    expect(await data('one')).toEqual({ level: 'warn', file: 'from-file' });
  });

  it('CLI-025 CLI-026 CLI-027 lists the objects of a namespace', async () => {
    expect((await bravo('get', 'operatorversions', '-n', 'lab')).out).toContain('.\n└── pond-0.1.0\n\n');
    expect((await bravo('-n', 'lab', 'get', 'all')).out).toContain(
      '.\n└── pond\n    └── pond-0.1.0\n        └── one\n\n',
    );
    const kinds = JSON.parse((await bravo('get', 'all', '-n', 'lab', '-o', 'json')).out).map(
      ({ kind }: { kind: string }) => kind,
    );
    expect(kinds).toEqual(['Operator', 'OperatorVersion', 'Instance']);
    expect((await bravo('get', 'all', '-n', 'lab', '-o', 'yaml')).out).toMatch(
      /^---\n[\s\S]*\n---\n[\s\S]*\n\.\.\.\n$/,
    );
  });

  it('lists all namespaces with -A, one branch each', async () => {
    await createNamespace(engine.api, 'far');
    await bravo('install', './pond-0.1.0', '--instance', 'two', '-n', 'far');
    expect(await bravo('get', 'instances', '-A')).toMatchObject({
      out: 'List of current installed instances in all namespaces:\n.\n├── far\n│\u00a0\u00a0 └── two\n└── lab\n    └── one\n\n',
      code: 0,
    });
    const tree = (await bravo('get', 'all', '--all-namespaces', '-n', 'lab')).out;
    expect(tree).toContain('└── lab\n    └── pond\n        └── pond-0.1.0\n            └── one\n');
    const listed = JSON.parse((await bravo('get', 'operators', '-A', '-o', 'json')).out);
    expect(listed.map(({ metadata }: { metadata: { namespace: string } }) => metadata.namespace)).toEqual([
      'far',
      'lab',
    ]);
  });

  it('CLI-018 CLI-024 PKG-149 PKG-150 an update changes only the named parameters, and runs the plan that they trigger', async () => {
    const words = ['update', '--instance=one', '-n', 'lab', '--wait'];
    expect((await bravo(...words, '-p', 'LEVEL=info')).out).toBe('Instance one was updated.\n');
    expect((await bravo(...words, '-p', 'FILE=b')).out).toBe('Instance one was updated.\n');
    expect(await data('one')).toEqual({ level: 'info', file: 'b' });
    const status = await bravo('plan', 'status', '--instance', 'one', '-n', 'lab');
    expect(status.out).toContain('one (Operator-Version: "pond-0.1.0" Active-Plan: "backup")');
    expect(status.out).toMatch(
      /├── Plan backup \(serial strategy\) \[COMPLETE\], last updated \d{4}-\d\d-\d\d \d\d:\d\d:\d\d/,
    );
    expect(status.out).toContain('Step conf [NOT ACTIVE]');
  });

  it('an empty instance name shows nothing, and deletes nothing', async () => {
    for (const words of [['uninstall'], ['plan', 'status']]) {
      const { out, err, code } = await bravo(...words, '--instance=', '-n', 'lab');
      expect([out, err, code]).toEqual(['', 'Error: resource name may not be empty\n', 255]);
    }
    expect((await bravo('get', 'instances', '-n', 'lab')).out).toContain('└── one');
  });

  it('an invalid wait time is refused before anything is created', async () => {
    const { out, err } = await bravo('install', './pond-0.1.0', '--instance', 'never', '--wait', '--wait-time', 'soon');
    expect([out, err]).toEqual(['', 'Error: --wait-time must be a number of seconds, not "soon"\n']);
  });

  it.each<[string, string[], string]>([
    ['CLI-016 an update of nothing', ['update', '--instance', 'one'], 'need to specify at least one parameter'],
    [
      'CLI-017 PKG-151 an update of a missing instance',
      ['update', '--instance', 'two', '-p', 'A=b'],
      'instance two in namespace lab does not exist in the cluster',
    ],
    ['an update of an unknown parameter', ['update', '--instance', 'one', '-p', 'NONE=b'], 'updating instance one'],
    ['an update of an immutable parameter', ['update', '--instance', 'one', '-p', 'FIXED=two'], 'FIXED'],
    [
      'CLI-014 a parameter without a value',
      ['install', '-p', 'foo'],
      'could not parse parameters: parameter not set: foo',
    ],
    [
      'CLI-012 an install of nothing',
      ['install'],
      'expecting exactly one argument - name of the package or path to install',
    ],
    [
      'CLI-013 two ways at once',
      ['install', 'x', '--in-cluster', '--skip-instance'],
      "you can't use skip-instance or repo option",
    ],
    ['a second install of an Instance', ['install', './pond-0.1.0', '--instance', 'one'], 'one'],
    [
      'CLI-015 an upgrade without an instance',
      ['upgrade', './pond-0.2.0'],
      'please use --instance and specify instance name. It cannot be empty',
    ],
    [
      'an upgrade to the same version',
      ['upgrade', './pond-0.1.0', '--instance', 'one'],
      'is the same or smaller as current version 0.1.0',
    ],
    [
      'CLI-019 an uninstall of a missing instance',
      ['uninstall', '--instance', 'two'],
      'instance two in namespace lab does not exist in the cluster',
    ],
    ['CLI-021 an uninstall without an instance', ['uninstall'], 'required flag(s) "instance" not set'],
    [
      'CLI-028 a get of nothing',
      ['get'],
      'expecting exactly one argument - "instances, operators, operatorversions or all"',
    ],
    [
      'CLI-028 a get of something else',
      ['get', 'pods'],
      'expecting one of "instances, operators, operatorversions or all" and not "pods"',
    ],
    [
      'CLI-030 a status of a missing instance',
      ['plan', 'status', '--instance', 'two'],
      'instance lab/two does not exist',
    ],
    [
      'CLI-035 another format',
      ['plan', 'status', '--instance', 'one', '-o', 'xml'],
      "invalid output format, only support 'yaml' or 'json' or empty",
    ],
    [
      'CLI-036 a history of nothing',
      ['plan', 'history'],
      "please choose the instance with '--instance=<instanceName>'",
    ],
    [
      'CLI-037 a trigger of nothing',
      ['plan', 'trigger', '--instance', 'one'],
      "please choose the plan name with '--name=<planName>'",
    ],
    ['a trigger of a missing plan', ['plan', 'trigger', '--instance', 'one', '--name', 'none'], 'none'],
    ['an unknown flag', ['get', 'all', '--nothing'], 'unknown flag: --nothing'],
  ])('CLI-001 %s fails with one sentence and status 255', async (_what, words, sentence) => {
    const { out, err, code } = await bravo(...words, '-n', 'lab');
    expect([out, code]).toEqual(['', 255]);
    expect(err).toMatch(/^Error: /);
    expect(err).toContain(sentence);
    expect(err).not.toContain('Usage:');
  });

  it('CLI-038 CLI-039 triggers a plan, waits for it, and shows its history', async () => {
    const trigger = await bravo('plan', 'trigger', '--name', 'backup', '--instance', 'one', '-n', 'lab', '--wait');
    expect(trigger).toEqual({ out: 'Triggered backup plan for lab/one instance\n', err: '', code: 0 });
    expect((await bravo('plan', 'wait', '--instance', 'one', '-n', 'lab')).code).toBe(0);
    const history = (await bravo('plan', 'history', '--instance=one', '-n=lab')).out;
    expect(history).toMatch(/├── backup \(last finished run at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d \(COMPLETE\)\)/);
    expect(history).toMatch(/ └── earlier run, finished at \d{4}-\S+ after \d+ s \(COMPLETE\)\n├── deploy/);
  });

  it('upgrades from an archive that it packed', async () => {
    const packed = await bravo('package', 'create', './pond-0.2.0', '-d', '.');
    expect(packed.out).toContain(`Package created: ${join(folder, 'pond-0.2.0.tgz')}`);
    const words = ['upgrade', './pond-0.2.0.tgz', '--instance', 'one', '-n', 'lab'];
    expect((await bravo(...words, '--preview')).out).toContain('Plan update:\n');
    const upgrade = await bravo(...words, '--reason', 'new release');
    expect(upgrade).toEqual({
      out: 'operatorversion lab/pond-0.2.0 created\ninstance lab/one updated\n',
      err: '',
      code: 0,
    });
    expect((await bravo('plan', 'wait', '--instance', 'one', '-n', 'lab')).code).toBe(0);
    const status = await bravo('plan', 'status', '--instance', 'one', '-n', 'lab');
    expect(status.out).toContain('one (Operator-Version: "pond-0.2.0" Active-Plan: "update")');
    expect((await bravo('run', 'show', 'one-update-2', '-n', 'lab')).out).toContain('reason: new release');
  });

  it('CLI-020 PKG-152 uninstalls and waits until the instance is deleted', async () => {
    const gone = await bravo('uninstall', '--instance', 'one', '-n', 'lab', '--wait');
    expect(gone).toEqual({ out: 'instance.kudo.dev/v1beta1/one deleted\n\n', err: '', code: 0 });
    expect(await data('one')).toBeUndefined();
    expect((await bravo('get', 'operators', '-n', 'lab')).out).toContain('└── pond\n');
    expect((await bravo('get', 'operatorversions', '-n', 'lab')).out).toContain('pond-0.1.0\n');
  });

  it('PKG-156 installs an installed version, in a new namespace, and without an instance', async () => {
    expect((await bravo('install', 'pond', '--in-cluster', '--instance', 'again', '-n', 'lab', '--wait')).out).toBe(
      'instance lab/again created\ninstance lab/again ready\n',
    );
    const words = ['install', join(folder, 'pond-0.1.0'), '--create-namespace', '--skip-instance', '-n', 'fresh'];
    const fresh = await bravo(...words);
    expect([fresh.code, fresh.err]).toEqual([0, '']);
    const again = await bravo(...words);
    expect([again.code, again.err]).toEqual([255, 'Error: namespaces "fresh" already exists\n']);
    expect(fresh.out).toContain('operatorversion fresh/pond-0.1.0 created\n');
    expect((await bravo('get', 'instances', '-n', 'fresh')).out).toContain(':\n.\n\n');
  });

  it('CLI-031 CLI-034 prints the status as it is, and names a missing version', async () => {
    const status = JSON.parse((await bravo('plan', 'status', '--instance', 'again', '-n', 'lab', '-o', 'json')).out);
    expect(status.planStatus.deploy).toMatchObject({ name: 'deploy', status: 'COMPLETE' });
    const yaml = (await bravo('plan', 'status', '--instance', 'again', '-n', 'lab', '-o', 'yaml')).out;
    expect(yaml).toMatch(/\nplanStatus:\n {2}\w+:\n[\s\S]*\n {4}- name: \w+\n {6}status: \w+\n[\s\S]*\n\n$/);
    const waited = await bravo('plan', 'status', '--instance', 'again', '-n', 'lab', '--wait');
    expect(waited.out.match(/^Plan\(s\) for/gm)).toHaveLength(1);
    const place = { group: 'kudo.dev', version: 'v1beta1', resource: 'operatorversions', namespace: 'lab' };
    const version = await engine.api.get({ ...place, name: 'pond-0.2.0' });
    await engine.api.delete({ ...place, name: 'pond-0.2.0' });
    expect((await bravo('plan', 'status', '--instance', 'again', '-n', 'lab')).err).toBe(
      'Error: OperatorVersion pond-0.2.0 from instance lab/again does not exist\n',
    );
    const { uid: _, resourceVersion: __, ...metadata } = version?.metadata ?? { name: '' };
    if (version !== undefined) await engine.api.create(place, { ...version, metadata });
  });

  it('reports a timeout on standard output and standard error', async () => {
    const words = ['install', './pond-0.1.0', '--instance', 'late', '-n', 'lab', '--wait', '--wait-time', '0'];
    const { out, err, code } = await bravo(...words);
    expect(code).toBe(255);
    expect(out).toContain('instance lab/late created\ntimeout waiting for instance lab/late\n');
    expect(err).toMatch(/^Error: failed to wait on instance lab\/late: timed out waiting for the condition/);
  });

  it('plan status --wait does not take the end of the previous plan for the end of a change that no controller has seen', async () => {
    await bravo('install', './pond-0.1.0', '--instance', 'unseen', '-n', 'lab', '--wait');
    await engine.stopController();
    await bravo('update', '--instance', 'unseen', '-n', 'lab', '-p', 'LEVEL=warn');
    const words = ['plan', 'status', '--instance', 'unseen', '-n', 'lab', '--wait', '--wait-time'];
    const alone = await bravo(...words, '0');
    expect([alone.code, alone.out.includes('ChangeUnseen: ')]).toEqual([255, true]);
    await engine.restartController();
    expect((await bravo(...words, '60')).code).toBe(0);
    expect(await data('unseen')).toMatchObject({ level: 'warn' });
  });

  it('prints refusals of the API in KUDO’s sentence, and requests on demand', async () => {
    const refused = await bravo('install', './pond-0.1.0', '--instance', 'Bad_Name', '-n', 'lab');
    expect(refused.err).toContain('failed to install instance lab/Bad_Name: installing Instance: ');
    const told = await bravo('get', 'instances', '-n', 'lab', '-v', '4');
    expect(told.err).toMatch(/^GET \/apis\/kudo\.dev\/v1beta1\/namespaces\/lab\/instances\S* 200 in \d+ ms\n$/);
    const wrong = await bravo('get', 'instances', '--request-timeout', 'soon');
    expect(wrong.err).toContain('invalid argument "soon" for "--request-timeout" flag');
  });

  it('CLI-011 a group alone prints its help, and version prints the version', async () => {
    for (const words of [['plan'], ['plan', 'nothing'], ['package'], ['package', 'list']]) {
      const { out, code } = await bravo(...words);
      expect([code, out.startsWith('Usage: bravo ')]).toEqual([0, true]);
    }
    expect((await bravo('version')).out).toMatch(
      /^KUDO Version: version\.Info\{GitVersion:"0\.19\.0", .*KubernetesClientVersion:""\}\nBravo Version: \d+\.\d+\.\d+\n$/,
    );
    expect(JSON.parse((await bravo('version', '-o', 'json')).out).clientVersion.gitVersion).toBe('0.19.0');
    expect((await bravo('--version')).out).toMatch(/^bravo version \d/);
  });

  it('CLI-003 the flag wins over the environment, and an old bundled package verifies', async () => {
    const { err, code } = await bravo('get', 'all', '--kubeconfig', join(folder, 'none'));
    expect([code, err.includes('none')]).toEqual([255, true]);
    expect((await bravo('package', 'verify', join(projectRoot, 'operators/hello/1.0.0'))).out).toContain(
      'package is valid',
    );
  });
});
