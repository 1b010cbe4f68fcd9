import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { packageToObjects } from '@/lib/kudo/package/to-objects';
import { writeTar } from '@/lib/tar/write-tar';
import { PackageCatalogue } from './catalogue';
import { loadArchive, loadPackage } from './loaded-package';
import { archiveOf, OPERATOR, PARAMS, packageFolder } from './package-fixture';
import { readPackageArchive } from './read-archive';
import { loadChart } from './read-chart';
import { resolvePackage } from './resolve';
import { writePackageArchive } from './write-archive';

const folder = packageFolder();
const { write } = folder;

describe('reading packages', () => {
  it('PKG-001 PKG-002 a folder and its archive become the same objects', async () => {
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
    const fromFolder = packageToObjects((await loadPackage(join(folder.path, 'zk'))).package, { namespace: 'n' });
    const archive = await writePackageArchive(join(folder.path, 'zk'));
    const fromArchive = packageToObjects((await loadArchive(archive, 'zk.tgz')).package, { namespace: 'n' });
    expect(fromArchive).toEqual(fromFolder);
    expect(fromFolder.operatorVersion.metadata.name).toBe('zookeeper-3.4.10-0.1.0');
    expect(Object.keys(fromFolder.operatorVersion.spec?.templates ?? {})).toEqual(['services.yaml', 'sub/two.yaml']);
    expect(Buffer.from(await writePackageArchive(join(folder.path, 'zk'))).equals(Buffer.from(archive))).toBe(true);
  });

  it('PKG-015 PKG-016 PKG-029 the error names the missing file', async () => {
    await write({ 'a/operator.yaml': OPERATOR('a'), 'b/x.yaml': '' });
    await expect(loadPackage(join(folder.path, 'a'))).rejects.toThrow(
      `operator package missing params.yaml in ${join(folder.path, 'a')}`,
    );
    await expect(loadPackage(join(folder.path, 'b'))).rejects.toThrow('operator package missing operator.yaml in');
    await expect(loadPackage(join(folder.path, 'none'))).rejects.toThrow(
      `stat ${join(folder.path, 'none')}: no such file or directory`,
    );
    await expect(loadPackage('')).rejects.toThrow('path must be specified');
  });

  it('a folder without an operator.yaml is not walked, whatever it holds', async () => {
    await write({ 'disk/home/secret.yaml': 'x: y' });
    await symlink('/', join(folder.path, 'disk/home/root.yaml'));
    const place = join(folder.path, 'disk');
    await expect(loadPackage(place)).rejects.toThrow(`operator package missing operator.yaml in ${place}`);
  });

  it('a folder operator/ below the root is the package', async () => {
    await write({ 'a/operator/operator.yaml': OPERATOR('a'), 'a/operator/params.yaml': '', 'a/docs/x.yaml': '' });
    expect((await loadPackage(join(folder.path, 'a'))).package.operator.name).toBe('a');
  });

  it('a link that leads out of the package is refused', async () => {
    await write({ 'a/operator.yaml': OPERATOR('a'), 'a/params.yaml': '', 'secret.yaml': 'x: y' });
    await symlink(join(folder.path, 'secret.yaml'), join(folder.path, 'a/link.yaml'));
    await expect(loadPackage(join(folder.path, 'a'))).rejects.toThrow('leads out of the package');
  });
});

describe('reading archives', () => {
  it('PKG-024 PKG-026 accepts ./ before names and folders among the entries', async () => {
    const archive = await archiveOf([
      { name: 'templates/', type: 'directory' },
      { name: './operator.yaml', text: OPERATOR('a') },
      { name: './params.yaml', text: '' },
    ]);
    expect((await loadArchive(archive, 'a.tgz')).package.operator.name).toBe('a');
  });

  it('PKG-025 a package in a folder of the archive is an error', async () => {
    const archive = await archiveOf([
      { name: 'zk/operator.yaml', text: OPERATOR('a') },
      { ...PARAMS, name: 'zk/params.yaml' },
    ]);
    await expect(loadArchive(archive, 'a.tgz')).rejects.toThrow('operator package missing operator.yaml in /');
  });

  it('PKG-027 an archive that is not compressed is refused', async () => {
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

  it('charts in a chart share one limit', async () => {
    const big = await archiveOf([{ name: 'sub/values.yaml', text: `a: ${'x'.repeat(3.5 * 1024 * 1024)}\n` }]);
    const tar = writeTar(
      new Map([
        ['web/Chart.yaml', Buffer.from('name: web\nversion: 1.0.0\n')],
        ...['a', 'b', 'c', 'd'].map((name) => [`web/charts/${name}.tgz`, big] as const),
      ]),
    );
    await writeFile(join(folder.path, 'web.tgz'), gzipSync(tar));
    await expect(loadChart(join(folder.path, 'web.tgz'))).rejects.toThrow('its files have more than 12582912 bytes');
  });

  it('an archive bomb stops at the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(60 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(200_000);
    await expect(readPackageArchive(bomb)).rejects.toThrow(/cannot be read/);
    const many = Array.from({ length: 4 }, (_, at) => ({ name: `${at}.yaml`, text: 'x'.repeat(3.5 * 1024 * 1024) }));
    await expect(readPackageArchive(await archiveOf(many))).rejects.toThrow('its files have more than 12582912 bytes');
    const large = await archiveOf([{ name: 'big.yaml', text: 'x'.repeat(5 * 1024 * 1024) }]);
    await expect(readPackageArchive(large)).rejects.toThrow('big.yaml is larger');
  });
});

describe('finding packages', () => {
  const catalogue = () =>
    new PackageCatalogue({ bundledDir: join(folder.path, 'bundled'), uploadDir: join(folder.path, 'up') });
  const here = () => ({ catalogue: catalogue(), scope: { kind: 'folder', path: folder.path } as const });

  it('PKG-095 PKG-096 PKG-097 a plain name is looked up in the catalogue, ./ is a folder, and a broken folder is an error', async () => {
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
      'no operator found for: a/b, and no folder or .tgz file has that name',
    );
    await expect(resolvePackage({ name: 'none' }, here())).rejects.toThrow('no operator found for: none');
    await expect(resolvePackage({ name: 'flink', operatorVersion: '3' }, here())).rejects.toThrow(
      'no operator version found for flink-3',
    );
  });

  it('PKG-093 PKG-094 PKG-098 PKG-100 a folder is used whatever version was asked for; a missing one is an error', async () => {
    await write({ 'deep/zk/operator.yaml': OPERATOR('zookeeper', '0.1.0'), 'deep/zk/params.yaml': '' });
    const found = await resolvePackage({ name: join(folder.path, 'deep/zk') }, here());
    expect(found.package.operator.name).toBe('zookeeper');
    const other = await resolvePackage({ name: './deep/zk', operatorVersion: '9.9.9' }, here());
    expect(other.package.operator.operatorVersion).toBe('0.1.0');
    await expect(resolvePackage({ name: '../deep/none' }, here())).rejects.toThrow('no operator package found');
    await expect(resolvePackage({ name: './foo' }, here())).rejects.toThrow('no operator package found at ./foo');
  });

  it('PKG-099a an address begins with http:// or https://', async () => {
    const asked: string[] = [];
    const loadUrl = async (url: string) => {
      asked.push(url);
      return loadArchive(await archiveOf([{ name: 'operator.yaml', text: OPERATOR('a') }, PARAMS]), url);
    };
    for (const name of ['foo', 'kudo.dev', 'http://kudo.dev', 'https://kudo.dev']) {
      await resolvePackage({ name }, { ...here(), loadUrl }).catch(() => undefined);
    }
    expect(asked).toEqual(['http://kudo.dev', 'https://kudo.dev']);
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

  it('stores uploads, refuses invalid ones, and removes them again', async () => {
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
