import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadPackage } from '@/server/packages/loaded-package';
import { packageFolder } from '@/server/packages/package-fixture';
import { runBravo } from '@/test/programs/run-bravo';

const folder = packageFolder();
const at = (path: string) => join(folder.path, path);

const BASE = (version: string, data = 'a') => ({
  'operator.yaml': `name: base
operatorVersion: ${version}
kubernetesVersion: 1.25.0
tasks: [{name: config, kind: Apply, spec: {resources: [config.yaml]}}]
plans: {deploy: {strategy: serial, phases: [{name: main, strategy: serial, steps: [{name: config, tasks: [config]}]}]}}
`,
  'params.yaml': 'parameters: [{name: MODE, default: fast}]\n',
  'templates/config.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Name }}"}\ndata: {mode: "{{ .Params.MODE }}", is: ${data}}\n`,
});

const OWN = (extending: string) => ({
  'own/operator.yaml': `extends: ${extending}
name: own
operatorVersion: 0.1.0
patches: [{template: config.yaml, kind: ConfigMap, strategic: {data: {team: blue}}}]
`,
  'own/params.yaml': 'parameters: [{name: MODE, default: safe}]\n',
});

const below = (start: string, files: { [path: string]: string }) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${start}/${path}`, text]));

/** A repository of the list with these packages. */
async function addRepository(...versions: [version: string, data?: string][]): Promise<string[]> {
  for (const [version, data] of versions) {
    await folder.write(below(`src-${version}`, BASE(version, data)));
    const made = await runBravo('package', 'create', at(`src-${version}`), '-d', at('repo'), '-w');
    expect(made.err).toBe('');
  }
  await runBravo('repo', 'index', at('repo'), '--overwrite', '--url', `file://${at('repo')}`);
  await folder.write({
    'home/repository/repositories.yaml': `repositories: [{name: mine, url: "file://${at('repo')}"}]\ncontext: mine\n`,
  });
  return ['--home', at('home')];
}

it('verify, template and create put the base of a folder in', async () => {
  await folder.write({ ...below('base', BASE('1.0.0')), ...OWN('{operator: base, version: "^1", path: ../base}') });
  expect(await runBravo('package', 'verify', at('own'))).toMatchObject({ out: 'package is valid\n', err: '', code: 0 });
  const { out } = await runBravo('template', at('own'), '--instance', 'one');
  expect(out).toContain('mode: safe');
  expect(out).toContain('team: blue');
  const made = await runBravo('package', 'create', at('own'), '-d', folder.path);
  expect(made.out).toContain('Base: base 1.0.0\nPackage created: ');
  const packed = await loadPackage(at('own-0.1.0.tgz'));
  expect([...packed.package.templates.keys()]).toEqual(['config.yaml']);
  expect(packed.package.operator.base).toBeUndefined();
  const withoutUid = (text: string) => text.replace(/execution-uid: .*/g, '');
  const ofArchive = await runBravo('template', at('own-0.1.0.tgz'), '--instance', 'one');
  expect(withoutUid(ofArchive.out)).toBe(withoutUid(out));
  expect(packed.files.get('extends.lock.yaml')).toContain('digest: sha256:');
});

it('a base of a repository is locked, and --update-base moves the lock', async () => {
  await folder.write({ 'repo/.keep': '' });
  const home = await addRepository(['1.0.0'], ['2.0.0']);
  await folder.write(OWN('{operator: base, version: ">=1 <2", repository: mine}'));
  const create = (...flags: string[]) =>
    runBravo('package', 'create', at('own'), '-d', folder.path, '-w', ...flags, ...home);
  expect(await create()).toMatchObject({ err: '', out: expect.stringContaining('Base: base 1.0.0\n') });
  await addRepository(['1.1.0', 'b']);
  const behind = await create();
  expect(behind.out).toContain(
    'Base: base 1.0.0\nextends.lock.yaml is behind: base 1.1.0 exists. "--update-base" builds with it.\n',
  );
  expect((await create('--update-base')).out).toContain('Base: base 1.1.0\nPackage');
  expect(await readFile(at('own/extends.lock.yaml'), 'utf8')).toContain('operatorVersion: 1.1.0\n');
  await addRepository(['1.1.0', 'changed']);
  expect((await create()).err).toContain('has another content than extends.lock.yaml says');
});

it('a base that cannot be found, is no base, or extends itself is named with its line', async () => {
  await folder.write({ 'repo/.keep': '' });
  const home = await addRepository(['1.0.0']);
  const run = async (extending: string) => {
    await writeFile(at('own/operator.yaml'), OWN(extending)['own/operator.yaml']);
    return (await runBravo('package', 'verify', at('own'), ...home)).out;
  };
  await folder.write({ ...below('base', BASE('1.0.0')), ...OWN('{operator: base}') });
  expect(await run('{operator: absent-operator}')).toContain('There is no absent-operator. Known versions: none.');
  expect(await run('{operator: postgres, version: ">=99"}')).toContain('There is no postgres >=99. Known versions: 1');
  expect(await run('{operator: postgres, version: newest}')).toContain('is not a range of versions');
  expect(await run('{operator: base, path: ../other}')).toContain('There is no package at ../other.');
  expect(await run('{operator: base, version: "^2", path: ../base}')).toContain('which is not the wanted base ^2');
  expect(await run('{operator: base, repository: nowhere}')).toContain('There is no repository nowhere.');
  expect(await run('{operator: own, path: ../own}')).toContain(
    'A package cannot extend itself: own-0.1.0 → own-0.1.0.',
  );
});

it('a bundled operator is a base', async () => {
  await folder.write(OWN('{operator: hello}'));
  await writeFile(
    at('own/operator.yaml'),
    'extends: {operator: hello, version: ">=0"}\nname: own\noperatorVersion: 0.1.0\n',
  );
  await writeFile(at('own/params.yaml'), 'parameters: []\n');
  expect(await runBravo('package', 'verify', at('own'))).toMatchObject({ err: '', code: 0 });
});
