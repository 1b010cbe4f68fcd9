import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import { systemRandom } from '@/lib/random/random';
import { startSandbox } from '@/server/sandbox/sandbox';
import { projectRoot, startProgram, stopAll, temporaryFolder } from '@/test/programs/process';

afterAll(stopAll);

const STEP = 'apiVersion: kuttl.dev/v1beta1\nkind: TestStep\n';
const map = (data: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata: {a: "${data}"}\n`;

function folderOf(files: { readonly [path: string]: string }): string {
  const folder = temporaryFolder('test-verb');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

function start(folder: string, words: readonly string[]) {
  const script = `cd "${folder}" && exec "${join(projectRoot, 'bin/bravo')}" test "$@"`;
  return startProgram('sh', ['-c', script, 'sh', ...words], { KUBECONFIG: join(folder, 'none') });
}

async function run(folder: string, words: readonly string[]) {
  const program = start(folder, words);
  const { code } = await program.exited();
  return { code, output: program.output() };
}

describe('bravo test', () => {
  it('HAR-074: one way to start a cluster excludes the other', async () => {
    const { code, output } = await run(folderOf({ 'kudo-test.yaml': '' }), [
      '--start-kind',
      '--start-control-plane',
      '.',
    ]);
    expect([code, output]).toEqual([255, 'Error: only one of --start-control-plane and --start-kind can be set\n']);
  });

  it('HAR-075: without a file of a suite it needs folders, and says so', async () => {
    const { code, output } = await run(folderOf({}), []);
    expect([code, output]).toEqual([
      255,
      'Error: kudo-test.yaml not found, provide either --config or arguments indicating the tests to load\n',
    ]);
  });

  it('HAR-075, HAR-076: folders alone are enough, and the report has a name', async () => {
    const folder = folderOf({ 'tests/case/0-a.yaml': map('1'), 'tests/case/0-assert.yaml': map('1') });
    const { code, output } = await run(folder, ['tests', '--sandbox', '--report', 'xml', '--artifacts-dir', 'out']);
    expect([code, output.trimEnd().split('\n').at(-1)]).toEqual([0, '1 passed, 0 failed']);
    expect(readdirSync(join(folder, 'out'))).toEqual(['kuttl-report.xml']);
    expect(readFileSync(join(folder, 'out/kuttl-report.xml'), 'utf8')).toContain('tests="2" failures="0"');
  });

  it('says which value differs, at its line, and ends with 1', async () => {
    const folder = folderOf({
      'kuttl-test.yaml': 'apiVersion: kuttl.dev/v1beta1\nkind: TestSuite\ntestDirs: [tests]\ntimeout: 2\n',
      'tests/case/0-a.yaml': map('1'),
      'tests/case/0-assert.yaml': map('2'),
    });
    const { code, output } = await run(folder, ['--sandbox']);
    expect(code).toBe(1);
    expect(output).toMatch(/0-assert.yaml:4: ConfigMap:kuttl-\S+\/m .data.a: expected "2", actual "1"/);
    expect(output.trimEnd().split('\n').at(-1)).toBe('0 passed, 1 failed');
  });

  it('runs this program as kubectl kudo and kudo, with a controller and its webhook', async () => {
    const hello = join(projectRoot, 'operators/hello/1.0.0');
    const command = (line: string) => `- {command: ${line}, namespaced: true}\n`;
    const folder = folderOf({
      'tests/case/0-install.yaml': `${STEP}commands:\n${command(`kubectl kudo install ${hello} --instance one`)}`,
      'tests/case/0-assert.yaml':
        'apiVersion: kudo.dev/v1beta1\nkind: Instance\nmetadata: {name: one}\nstatus: {planStatus: {deploy: {status: COMPLETE}}}\n',
      'tests/case/1-refused.yaml': `${STEP}commands:\n${command('kudo plan status --instance one')}- script: |
    kubectl -n $NAMESPACE patch instance one --type merge -p '{"spec":{"parameters":{"PORT":"81"}}}' && exit 1 || exit 0\n`,
    });
    const { code, output } = await run(folder, ['tests', '--sandbox']);
    expect(code, output).toBe(0);
    expect(output).toContain('denied the request');
  });

  it('runs again when a file changes, and ends with 255 after an interrupt', async () => {
    const folder = folderOf({ 'tests/case/0-a.yaml': map('1'), 'tests/case/0-assert.yaml': map('2') });
    const program = start(folder, ['tests', '--sandbox', '--watch', '--timeout', '1']);
    await program.printed('Waiting for changes');
    writeFileSync(join(folder, 'tests/case/0-assert.yaml'), map('1'));
    await program.printed('1 passed, 0 failed');
    program.child.kill('SIGINT');
    expect((await program.exited()).code).toBe(255);
  });

  it('HAR-073: starts KIND with a volume for the images of each node, and deletes it', async () => {
    const sandbox = await startSandbox({
      ...{ port: 0, mode: 'full', podDelayMs: 0 },
      clock: systemClock,
      random: systemRandom,
    });
    const folder = folderOf({
      'kudo-test.yaml':
        'apiVersion: kuttl.dev/v1beta1\nkind: TestSuite\ntestDirs: [tests]\nstartKIND: true\nkindNodeCache: true\nkindConfig: kind.yaml\nkindContainers: [a:1]\n',
      'kind.yaml':
        'kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\nnodes: [{role: control-plane}, {role: worker}]\n',
      'tests/case/0-a.yaml': map('1'),
      'sandbox.yaml': sandbox.kubeconfig,
      // Stand in for the programs of KIND and Docker, which need a machine of their own.
      'programs/kind':
        '#!/bin/sh\necho "kind $*" >> calls\ncase "$1 $2" in "create cluster") cp "$6" given.yaml; cp sandbox.yaml "$8" ;; esac\n',
      'programs/docker': '#!/bin/sh\necho "docker $*" >> calls\necho "/volumes/$3$6"\n',
    });
    for (const name of ['kind', 'docker']) chmodSync(join(folder, 'programs', name), 0o755);
    const script = `cd "${folder}" && PATH="${folder}/programs:$PATH" exec "${join(projectRoot, 'bin/bravo')}" test`;
    const program = startProgram('sh', ['-c', script]);
    const { code } = await program.exited();
    await sandbox.stop();
    expect(code, program.output()).toBe(0);
    const calls = readFileSync(join(folder, 'calls'), 'utf8').trimEnd().split('\n');
    expect(calls.map((call) => call.split(' ').slice(0, 4).join(' '))).toEqual([
      'kind get clusters',
      'docker volume create kind-0',
      'docker volume inspect --format',
      'docker volume create kind-1',
      'docker volume inspect --format',
      'kind create cluster --name',
      'kind load docker-image a:1',
      expect.stringMatching(/^kind export logs .*kind-logs-\d+$/),
      'kind delete cluster --name',
    ]);
    const given = readFileSync(join(folder, 'given.yaml'), 'utf8');
    expect(given.match(/containerPath: \/var\/lib\/containerd/g)).toHaveLength(2);
  });
});
