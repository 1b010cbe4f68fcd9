import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sharedPath } from '@/e2e/support/shared';
import { packageToObjects } from '@/lib/kudo/package/to-objects';
import { PackageCatalogue } from './catalogue';
import { resolveDependencies } from './dependencies';
import { loadArchive, loadPackage } from './loaded-package';
import { readPackageArchive } from './read-archive';
import { resolvePackage } from './resolve';
import { writePackageArchive } from './write-archive';

const OPERATOR = (name: string, version = '0.0.1', tasks = '') => `name: ${name}
operatorVersion: "${version}"
kubernetesVersion: "1.16"
tasks:
- {name: done, kind: Dummy, spec: {done: true}}
${tasks}
plans:
  deploy: {strategy: serial, phases: [{name: main, strategy: serial, steps: [{name: s, tasks: [done]}]}]}
`;
const NEEDS = (name: string, reference: string, version = '') =>
  `- {name: ${name}, kind: KudoOperator, spec: {package: ${reference}, operatorVersion: "${version}"}}`;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bravo-packages-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function write(files: { [path: string]: string }): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

async function archiveOf(
  entries: { name: string; text?: string; type?: 'file' | 'directory' | 'symlink' }[],
): Promise<Uint8Array> {
  const tar = pack();
  for (const { name, text = '', type = 'file' } of entries) {
    tar.entry({ name, type, ...(type === 'symlink' ? { linkname: '/etc/passwd' } : {}) }, type === 'file' ? text : '');
  }
  tar.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of tar) chunks.push(chunk as Uint8Array);
  return gzipSync(Buffer.concat(chunks));
}

const PARAMS = { name: 'params.yaml', text: 'parameters: []\n' };

describe('reading packages', () => {
  it('PKG-001 PKG-002 a folder and its archive give the same objects', async () => {
    await write({
      'zk/operator.yaml': OPERATOR('zookeeper', '0.1.0').replace(
        'name: zookeeper',
        'name: zookeeper\nappVersion: 3.4.10',
      ),
      'zk/params.yaml': 'parameters:\n- name: cpus\n  default: "0.25"\n',
      'zk/templates/services.yaml': 'a: b\n',
      'zk/templates/sub/two.yaml': 'c: d\n',
      'zk/README.md': 'words',
      'zk/templates/x.yml': 'ignored',
    });
    const fromFolder = packageToObjects((await loadPackage(join(folder, 'zk'))).package, { namespace: 'n' });
    const archive = await writePackageArchive(join(folder, 'zk'));
    const fromArchive = packageToObjects((await loadArchive(archive, 'zk.tgz')).package, { namespace: 'n' });
    expect(fromArchive).toEqual(fromFolder);
    expect(fromFolder.operatorVersion.metadata.name).toBe('zookeeper-3.4.10-0.1.0');
    expect(Object.keys(fromFolder.operatorVersion.spec?.templates ?? {})).toEqual(['services.yaml', 'sub/two.yaml']);
    expect(Buffer.from(await writePackageArchive(join(folder, 'zk'))).equals(Buffer.from(archive))).toBe(true);
  });

  it('PKG-015 PKG-016 PKG-029 names what is missing', async () => {
    await write({ 'a/operator.yaml': OPERATOR('a'), 'b/x.yaml': '' });
    await expect(loadPackage(join(folder, 'a'))).rejects.toThrow(
      `operator package missing params.yaml in ${join(folder, 'a')}`,
    );
    await expect(loadPackage(join(folder, 'b'))).rejects.toThrow('operator package missing operator.yaml in');
    await expect(loadPackage(join(folder, 'none'))).rejects.toThrow(
      `stat ${join(folder, 'none')}: no such file or directory`,
    );
    await expect(loadPackage('')).rejects.toThrow('path must be specified');
  });

  it('a folder operator/ below the root is the package', async () => {
    await write({ 'a/operator/operator.yaml': OPERATOR('a'), 'a/operator/params.yaml': '', 'a/docs/x.yaml': '' });
    expect((await loadPackage(join(folder, 'a'))).package.operator.name).toBe('a');
  });

  it('a link that leads out of the package is refused', async () => {
    await write({ 'a/operator.yaml': OPERATOR('a'), 'a/params.yaml': '', 'secret.yaml': 'x: y' });
    await symlink(join(folder, 'secret.yaml'), join(folder, 'a/link.yaml'));
    await expect(loadPackage(join(folder, 'a'))).rejects.toThrow('leads out of the package');
  });
});

describe('reading archives', () => {
  it('PKG-024 PKG-026 takes ./ before names and folders among the entries', async () => {
    const archive = await archiveOf([
      { name: 'templates/', type: 'directory' },
      { name: './operator.yaml', text: OPERATOR('a') },
      { name: './params.yaml', text: '' },
    ]);
    expect((await loadArchive(archive, 'a.tgz')).package.operator.name).toBe('a');
  });

  it('PKG-025 a folder on top is no package', async () => {
    const archive = await archiveOf([
      { name: 'zk/operator.yaml', text: OPERATOR('a') },
      { ...PARAMS, name: 'zk/params.yaml' },
    ]);
    await expect(loadArchive(archive, 'a.tgz')).rejects.toThrow('operator package missing operator.yaml in /');
  });

  it('PKG-027 what is not compressed is refused', async () => {
    await expect(readPackageArchive(Buffer.from('plain'))).rejects.toThrow('gzip: invalid header');
    await expect(readPackageArchive(gzipSync('no tar'.repeat(500)))).rejects.toThrow('cannot be read');
  });

  it('names cannot leave the archive, links are left out, the later name wins', async () => {
    const files = await readPackageArchive(
      await archiveOf([
        { name: '../../etc/x.yaml', text: 'a' },
        { name: '/abs.yaml', text: 'b' },
        { name: 'link.yaml', type: 'symlink' },
        { name: 'abs.yaml', text: 'c' },
      ]),
    );
    expect([...files]).toEqual([
      ['etc/x.yaml', 'a'],
      ['abs.yaml', 'c'],
    ]);
  });

  it('a bomb ends at the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(60 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(200_000);
    await expect(readPackageArchive(bomb)).rejects.toThrow(/cannot be read/);
    const large = await archiveOf([{ name: 'big.yaml', text: 'x'.repeat(5 * 1024 * 1024) }]);
    await expect(readPackageArchive(large)).rejects.toThrow('big.yaml is larger');
  });
});

describe('finding packages', () => {
  const catalogue = () => new PackageCatalogue({ bundledDir: join(folder, 'bundled'), uploadDir: join(folder, 'up') });
  const here = () => ({ catalogue: catalogue(), scope: { kind: 'folder', path: folder } as const });

  it('PKG-095 PKG-096 PKG-097 a plain name is of the catalogue, ./ is a folder, and a broken one is final', async () => {
    await write({
      'flink/operator.yaml': OPERATOR('flink', '9.0.0'),
      'flink/params.yaml': '',
      'bundled/flink/operator.yaml': OPERATOR('flink', '1.0.0'),
      'bundled/flink/params.yaml': '',
      'broken/operator.yaml': '',
      'broken/params.yaml': '',
    });
    expect((await resolvePackage({ name: 'flink' }, here())).package.operator.operatorVersion).toBe('1.0.0');
    expect((await resolvePackage({ name: './flink' }, here())).package.operator.operatorVersion).toBe('9.0.0');
    await expect(resolvePackage({ name: './broken' }, here())).rejects.toThrow(
      'failed to parse yaml into valid operator',
    );
    await expect(resolvePackage({ name: './none' }, here())).rejects.toThrow('no operator package found at ./none');
    await expect(resolvePackage({ name: 'a/b' }, here())).rejects.toThrow(
      'no operator found for: a/b, and there is no folder or .tgz file of that name',
    );
    await expect(resolvePackage({ name: 'none' }, here())).rejects.toThrow('no operator found for: none');
    await expect(resolvePackage({ name: 'flink', operatorVersion: '3' }, here())).rejects.toThrow(
      'no operator version found for flink-3',
    );
  });

  it('PKG-107 the best version is the highest app version, then the highest operator version', async () => {
    const app = (name: string, version: string, appVersion: string) =>
      OPERATOR(name, version).replace('operatorVersion', `appVersion: "${appVersion}"\noperatorVersion`);
    await write({
      'bundled/a/1/operator.yaml': app('a', '1.0.0', '2.0.0'),
      'bundled/a/1/params.yaml': '',
      'bundled/a/2/operator.yaml': app('a', '0.9.0', '10.0.0'),
      'bundled/a/2/params.yaml': '',
      'bundled/a/3/operator.yaml': app('a', '1.1.0', '10.0.0'),
      'bundled/a/3/params.yaml': '',
    });
    const versions = (await catalogue().list()).map((entry) => `${entry.appVersion}/${entry.operatorVersion}`);
    expect(versions).toEqual(['10.0.0/1.1.0', '10.0.0/0.9.0', '2.0.0/1.0.0']);
    const older = await catalogue().find({ name: 'a', appVersion: '2.0.0' });
    expect(older.package.operator.operatorVersion).toBe('1.0.0');
  });

  it('keeps uploads, refuses invalid ones, and gives them up again', async () => {
    const packages = catalogue();
    const archive = await archiveOf([{ name: 'operator.yaml', text: OPERATOR('mine') }, PARAMS]);
    const entry = await packages.add(archive);
    expect((await packages.list()).map(({ name, origin }) => [name, origin])).toEqual([['mine', 'uploaded']]);
    const bad = await archiveOf([{ name: 'operator.yaml', text: 'name: bad\n' }, PARAMS]);
    await expect(packages.add(bad)).rejects.toThrow('"operatorVersion" is required and must be semver (operator.yaml');
    expect(await packages.remove(entry)).toBe(true);
    expect(await packages.list()).toEqual([]);
  });
});

describe('dependencies', () => {
  const context = () => ({
    catalogue: new PackageCatalogue({ bundledDir: join(folder, 'bundled') }),
    scope: { kind: 'folder', path: folder } as const,
  });
  const add = (name: string, version: string, ...needs: string[]) =>
    write({
      [`bundled/${name}-${version}/operator.yaml`]: OPERATOR(
        name,
        version,
        needs.map((need, i) => NEEDS(`t${i}`, need)).join('\n'),
      ),
      [`bundled/${name}-${version}/params.yaml`]: '',
    });
  const resolve = async (name: string) => resolveDependencies(await resolvePackage({ name }, context()), context());
  const names = async (name: string) => (await resolve(name)).dependencies.map(({ operator }) => operator.name);

  it('PKG-129 PKG-130 are found depth first, each once', async () => {
    await add('A', '0.0.1', 'C', 'D');
    await add('C', '0.0.1', 'D');
    await add('D', '0.0.1', 'E');
    await add('E', '0.0.1');
    expect(await names('A')).toEqual(['C', 'D', 'E']);
  });

  it('PKG-124 PKG-126 PKG-131 cycles are named by the edge that closes them', async () => {
    await add('A', '0.0.1', 'B');
    await add('B', '0.0.1', 'C', 'E');
    await add('C', '0.0.1', 'D', 'A');
    await add('D', '0.0.1');
    await add('S', '0.0.1', 'S');
    await expect(resolve('A')).rejects.toThrow(
      'cyclic package dependency found when adding package C-0.0.1 -> A-0.0.1',
    );
    await expect(resolve('S')).rejects.toThrow(
      'cyclic package dependency found when adding package S-0.0.1 -> S-0.0.1',
    );
  });

  it('PKG-128 PKG-132 a missing one names what was wanted and by whom', async () => {
    await add('A', '0.0.1', 'B');
    await expect(resolve('A')).rejects.toThrow(
      'failed to resolve package Operator: "B", OperatorVersion: "any", AppVersion "any", dependency of package A-0.0.1',
    );
  });

  it('PKG-133 a path beside the parent is resolved, and the task is pinned', async () => {
    await write({
      'parent/operator.yaml': OPERATOR('parent', '0.1.0', NEEDS('child', '../child-operator')),
      'parent/params.yaml': '',
      'child-operator/operator.yaml': OPERATOR('child', '0.0.1').replace(
        'operatorVersion',
        'appVersion: 3.2.1\noperatorVersion',
      ),
      'child-operator/params.yaml': '',
    });
    const loaded = await loadPackage(join(folder, 'parent'));
    const resolved = await resolveDependencies(loaded, context());
    expect(resolved.dependencies.map(({ operator }) => operator.name)).toEqual(['child']);
    expect(resolved.package.operator.tasks[1]?.spec).toEqual({
      package: 'child',
      operatorVersion: '0.0.1',
      appVersion: '3.2.1',
    });
  });

  it('PKG-134 PKG-135 inside an archive only the archive is looked at', async () => {
    const archive = await archiveOf([
      { name: 'operator.yaml', text: OPERATOR('parent', '0.1.0', NEEDS('child', '../child-operator')) },
      PARAMS,
      { name: 'child-operator/operator.yaml', text: OPERATOR('child') },
      { name: 'child-operator/params.yaml', text: '' },
    ]);
    const resolved = await resolveDependencies(await loadArchive(archive, 'p.tgz'), context());
    expect(resolved.dependencies.map(({ operator }) => operator.name)).toEqual(['child']);
    const outside = await archiveOf([
      { name: 'operator.yaml', text: OPERATOR('p', '0.1.0', NEEDS('x', '../../etc/x')) },
      PARAMS,
    ]);
    await expect(resolveDependencies(await loadArchive(outside, 'p.tgz'), context())).rejects.toThrow('in the archive');
  });

  it.skipIf(sharedPath('kuttl/integration') === undefined)(
    'PKG-144 a parent and its child of the test suites',
    async () => {
      const path = sharedPath('kuttl/integration/operator-with-dependencies/parent-operator') ?? '';
      const resolved = await resolveDependencies(await loadPackage(path), context());
      expect(resolved.package.operator.tasks[0]?.spec?.package).toBe('child');
    },
  );
});
