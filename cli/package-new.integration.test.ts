import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runBravo } from '@/test/programs/run-bravo';

describe('writing a package', () => {
  const home = process.cwd();
  let folder: string;
  const verify = (path: string) => runBravo('package', 'verify', path);
  const text = (path: string) => readFile(path, 'utf8');
  /** Runs with the lines of a person. */
  const answering = async (lines: readonly string[], ...words: string[]) => {
    const input = Readable.from(lines.map((line) => `${line}\n`));
    const stdin = vi.spyOn(process, 'stdin', 'get').mockReturnValue(input as unknown as typeof process.stdin);
    try {
      return await runBravo('package', ...words);
    } finally {
      stdin.mockRestore();
    }
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bravo-new-'));
    process.chdir(folder);
  });
  afterEach(async () => {
    process.chdir(home);
    await rm(folder, { recursive: true, force: true });
  });

  it('CLI-047 CLI-051 (differs) new writes a package that verifies without an error or a warning', async () => {
    const { out, code } = await runBravo('package', 'new', 'newop');
    expect(code).toBe(0);
    expect(out).toContain('Operator created. Use \n - package add parameter\n');
    expect(await text('operator/operator.yaml')).toBe(`apiVersion: kudo.dev/v1beta1
appVersion: 0.1.0
kubernetesVersion: 1.25.0
kudoVersion: 0.19.0
maintainers:
- email: MyEmail@invalid
  name: My Name
name: newop
operatorVersion: 0.1.0
plans:
  deploy:
    phases:
    - name: deploy
      steps:
      - name: deploy
        tasks:
        - deploy
      strategy: serial
    strategy: serial
tasks:
- kind: Apply
  name: deploy
  spec:
    resources:
    - deploy.yaml
`);
    expect(await text('operator/params.yaml')).toBe('apiVersion: kudo.dev/v1beta1\nparameters: []\n');
    expect(await verify('./operator')).toEqual({ out: 'package is valid\n', err: '', code: 0 });
    expect((await runBravo('template', './operator')).out).toContain('kind: ConfigMap');
  });

  it('new writes a KUTTL suite that installs the package, and keeps files of it that exist', async () => {
    await runBravo('package', 'new', 'newop');
    expect(await text('operator/kudo-test.yaml')).toBe(
      'apiVersion: kuttl.dev/v1beta1\nkind: TestSuite\ntestDirs:\n  - ./tests\ntimeout: 120\n',
    );
    const install = await text('operator/tests/install/00-install.yaml');
    expect(install).toContain('command: kubectl kudo install ../../ --instance newop\n');
    expect(await text('operator/tests/install/00-assert.yaml')).toContain('deploy:\n      status: COMPLETE\n');
    await writeFile('operator/tests/install/00-install.yaml', 'mine: true\n');
    await runBravo('package', 'new', 'newop', '-w');
    expect(await text('operator/tests/install/00-install.yaml')).toBe('mine: true\n');
    expect((await runBravo('package', 'new', 'New_Op', '-w')).err).toContain('not a valid name of a Kubernetes object');
  });

  it('add works by flags, without a question', async () => {
    await runBravo('package', 'new', 'newop');
    const add = async (...words: string[]) => {
      const { err, code } = await runBravo('package', 'add', ...words);
      return code === 0 ? '' : err;
    };
    expect(await add('parameter', 'SIZE', '--type', 'integer', '--default', '3', '--description', 'Members.')).toBe('');
    expect(await add('parameter', 'TOPICS', '--type', 'array', '--default', '[a, b]', '--optional')).toBe('');
    expect(await add('parameter', 'MODE', '--enum', 'a,b', '--default', 'a', '--trigger', 'backup')).toBe('');
    expect(await add('task', 'backup', '--resources', 'job,more.yaml')).toBe('');
    expect(await add('task', 'switch', '--kind', 'Toggle', '--parameter', 'SIZE', '--resources', 'job')).toBe('');
    expect(await add('task', 'pipe', '--kind', 'Pipe', '--pod', 'p', '--pipe', '/out/x=Secret:key')).toBe('');
    expect(await add('task', 'zk', '--kind', 'KudoOperator', '--package', 'zookeeper')).toBe('');
    expect(await add('task', 'end', '--kind', 'Dummy')).toBe('');
    expect(await add('plan', 'backup', '--step', 'main/one=backup', '--step', 'main/two=end,switch')).toBe('');
    expect(await text('operator/params.yaml')).toBe(`apiVersion: kudo.dev/v1beta1
parameters:
- name: SIZE
  type: integer
  default: "3"
  description: Members.
- name: TOPICS
  type: array
  default:
  - a
  - b
  required: false
- name: MODE
  default: a
  trigger: backup
  enum:
  - a
  - b
`);
    const plans = (await runBravo('package', 'list', 'plans', './operator', '-t')).out;
    expect(plans).toMatch(/backup \(serial\)[\s\S]*one[\s\S]*two/);
    expect(await add('parameter', 'SIZE')).toContain('SIZE already exists');
    expect(await add('parameter', 'X', '--type', 'text')).toContain('"text" is not a type of a parameter');
    expect(await add('parameter', 'X', '--type', 'map', '--default', '[a]')).toContain('is not YAML of type map');
    expect(await add('task', 'x')).toContain('needs --resources');
    expect(await add('task', 'x', '--kind', 'Toggle', '--resources', 'a')).toContain('needs --parameter');
    expect(await add('task', 'x', '--kind', 'Pipe', '--pod', 'a', '--pipe', 'b')).toContain('not of the form FILE=');
    expect(await add('task', 'x', '--kind', 'Pod')).toContain('"Pod" is not a kind of a task');
    expect(await add('plan', 'x', '--step', 'main/one=absent')).toContain('There is no task absent');
    expect(await add('plan', 'x', '--step', 'one=end')).toContain('not of the form PHASE/STEP=TASK');
    expect(await add('plan', 'x')).toContain('A plan needs at least one --step');
  });

  it('a package that was added to still verifies', async () => {
    await runBravo('package', 'new', 'newop');
    await answering(['SIZE', '3', 'Size', 'How many members.', 'true', 'n'], 'add', 'parameter');
    await writeFile(
      'operator/templates/deploy.yaml',
      `${await text('operator/templates/deploy.yaml')}  size: "{{ .Params.SIZE }}"\n`,
    );
    expect(await verify('./operator')).toMatchObject({ err: '', code: 0 });
  });

  it('new -w keeps a template that exists', async () => {
    await mkdir('operator/templates', { recursive: true });
    await writeFile('operator/templates/deploy.yaml', 'mine: true\n');
    await runBravo('package', 'new', 'newop', '-w');
    expect(await text('operator/templates/deploy.yaml')).toBe('mine: true\n');
  });

  it('CLI-048 CLI-049 CLI-050 new refuses a folder that exists, and requires a name', async () => {
    await runBravo('package', 'new', 'newop');
    expect((await runBravo('package', 'new', 'newop')).err).toBe('Error: folder "operator" already exists\n');
    await writeFile('operator/params.yaml', 'parameters: []\n');
    expect(await runBravo('package', 'new', 'other', '-w')).toEqual({ out: '', err: '', code: 0 });
    expect(await text('operator/params.yaml')).toBe('parameters: []\n');
    expect(await text('operator/operator.yaml')).toContain('\nname: other\n');
    expect((await runBravo('package', 'new')).err).toContain('expecting exactly one argument - name of the operator');
    expect((await runBravo('package', 'new', '-i', 'a', 'b')).err).toContain('expecting at most one argument');
    process.chdir('operator');
    expect((await runBravo('package', 'new', 'x')).err).toContain('current directory.  creating an operator in');
    process.chdir('..');
    expect((await answering([], 'new', '-i')).err).toBe('Error: ^D\n');
  });

  it('new -i asks, and asks again after an invalid answer', async () => {
    const lines = ['ab', 'shop', 'here', 'one', '2.0.0', '', '', '1.20.0', '', 'A', 'nobody', 'a@b.c'];
    const { out, code } = await answering(lines, 'new', '-i');
    expect([code, out]).toEqual([0, expect.stringContaining('operator name must have more than 3 characters\n')]);
    expect(out).toContain('"one" is not a semantic version\n');
    expect(out).toContain('maintainer email must be valid email address\n');
    const operator = await text('here/operator.yaml');
    expect(operator).toContain('kubernetesVersion: 1.20.0\n');
    expect(operator).toContain('- email: a@b.c\n  name: A\n');
    expect(operator).not.toContain('appVersion');
    expect(await verify('./here')).toMatchObject({ err: '', code: 0 });
  });

  it('CLI-052 CLI-053 CLI-054 add keeps comments, and creates the files that tasks name', async () => {
    await runBravo('package', 'new', 'newop');
    const file = 'operator/operator.yaml';
    await writeFile(file, `# about this operator\n${await text(file)}`);
    expect((await runBravo('package', 'add', 'maintainer', 'one')).err).toContain(
      'expecting two arguments - name and email address',
    );
    expect((await runBravo('package', 'add', 'maintainer', 'A', 'a@b.c')).code).toBe(0);
    process.chdir('operator');
    expect((await answering(['pipe', 'Pipe', 'p', '/out/x', 'Secret', 'key', ''], 'add', 'task')).code).toBe(0);
    process.chdir('..');
    const plan = ['backup', '', 'main', 'parallel', 'step', 'pipe', 'made', 'Apply', 'x', '', '', '', ''];
    expect((await answering(plan, 'add', 'plan')).code).toBe(0);
    expect((await answering(['SIZE', '3', '', 'How many.', 'true', 'y', 'backup'], 'add', 'parameter')).code).toBe(0);
    const operator = await text(file);
    expect(operator).toMatch(/^# about this operator\n/);
    expect(operator).toContain('- name: A\n  email: a@b.c\n');
    expect(await text('operator/templates/p.yaml')).toBe('');
    expect(await text('operator/templates/x.yaml')).toBe('');
    const plans = (await runBravo('package', 'list', 'plans', './operator', '-t')).out;
    expect(plans).toContain('[pipe]  pipe\n');
    expect(plans).toContain('[apply]  made\n');
    expect((await runBravo('package', 'list', 'parameters', './operator')).out).toContain('SIZE\t3      \ttrue');
  });

  it('add requires exactly one package in or below the folder', async () => {
    expect((await runBravo('package', 'add', 'plan')).err).toContain('no operator folder discovered');
    for (const name of ['a', 'b']) {
      await mkdir(name);
      await writeFile(join(name, 'operator.yaml'), 'name: x\n');
    }
    expect((await runBravo('package', 'add', 'plan')).err).toContain('multiple operator folders discovered');
  });
});
