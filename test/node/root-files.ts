import { createHash, randomUUID } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { projectRoot } from '@/server/runtime/root';
import type { ImageDefinition } from './image-definition';
import { requireTool } from './tools';

/**
 * Root file systems of images, each made once from Debian packages. The cache is `BRAVO_ROOTFS_CACHE`, else ~/.cache/bravo/rootfs:
 * a folder a definition, named by its digest, and an apt of its own a suite, so that the machine's packages are not touched.
 */
const CACHE = process.env.BRAVO_ROOTFS_CACHE ?? join(homedir(), '.cache/bravo/rootfs');
const LAUNCHERS = join(projectRoot, 'test/node/launchers');
/** Written when the lists were fetched. */
const STAMP = 'updated';
const INDEX_LIFE_MS = 7 * 24 * 3_600_000;

/** Packages that only maintainer scripts need, which are not run here, or that no image uses. */
const OMITTED =
  /^(perl|libperl|lib.*-perl|libllvm|libz3|debconf|adduser|passwd|login|ucf|ssl-cert|init-system|locales|libc-l10n|postgresql-(client-)?common|libsemanage|libsepol|gcc-.*-base|sysvinit|libdebconfclient|base-passwd|python)/;

const being = new Map<string, Promise<string>>();
/** They are made one after the other: apt has one lock. */
let last: Promise<unknown> = Promise.resolve();

/** The folder of an image's root file system; it must not be written to. */
export function rootFilesOf(image: ImageDefinition): Promise<string> {
  const folder = join(CACHE, nameOf(image));
  if (existsSync(folder)) return Promise.resolve(folder);
  const present = being.get(folder);
  if (present !== undefined) return present;
  const made = last.then(() => make(image, folder)).finally(() => being.delete(folder));
  last = made.catch(() => '');
  being.set(folder, made);
  return made;
}

function nameOf(image: ImageDefinition): string {
  const launchers = Object.values(image.launchers ?? {}).map((name) => readFileSync(join(LAUNCHERS, name), 'utf8'));
  const digest = createHash('sha256')
    .update(JSON.stringify([image, launchers, OMITTED.source]))
    .digest('hex');
  const [first = ''] = image.references;
  return `${first.replace(/[^a-z0-9.]+/g, '-').replace(/-$/, '')}-${digest.slice(0, 12)}`;
}

async function make(image: ImageDefinition, folder: string): Promise<string> {
  const root = `${folder}.${randomUUID()}.part`;
  try {
    await fill(root, image);
    renameSync(root, folder);
  } catch (error) {
    rmSync(root, { recursive: true, force: true });
    // Another process may have made the same one in the meantime.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

async function fill(root: string, image: ImageDefinition): Promise<void> {
  makeFolders(root);
  for (const file of await download(image)) {
    // `dpkg -x` would replace the links of a merged /usr by folders.
    await requireTool('sh', [
      '-c',
      'dpkg-deb --fsys-tarfile "$1" | tar -x --keep-directory-symlink -C "$2"',
      'sh',
      file,
      root,
    ]);
  }
  if (image.programs !== undefined) keepPrograms(root, new Set(image.programs));
  for (const folderName of ['usr/share/doc', 'usr/share/man', 'usr/share/locale', 'usr/share/info']) {
    rmSync(join(root, folderName), { recursive: true, force: true });
  }
  writeUsers(root, image.users ?? []);
  for (const [path, name] of Object.entries(image.launchers ?? {})) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    copyFileSync(join(LAUNCHERS, name), join(root, path));
    chmodSync(join(root, path), 0o755);
  }
  if (image.finish !== undefined) await requireTool('sh', ['-c', image.finish], { env: { ROOT: root } });
}

function makeFolders(root: string): void {
  const folders = [
    'usr/bin',
    'usr/sbin',
    'usr/lib',
    'usr/lib64',
    'usr/local/bin',
    'etc',
    'run',
    'var/lib',
    'var/cache',
    'var/log',
    'var/tmp',
    'root',
    'home',
    'proc',
    'sys',
    'dev',
    'tmp',
    'mnt',
  ];
  for (const name of folders) mkdirSync(join(root, name), { recursive: true });
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) symlinkSync(`usr/${name}`, join(root, name));
  symlinkSync('../run', join(root, 'var/run'));
  for (const name of ['tmp', 'var/tmp']) chmodSync(join(root, name), 0o1777);
}

function keepPrograms(root: string, programs: ReadonlySet<string>): void {
  for (const folder of ['usr/bin', 'usr/sbin']) {
    for (const name of readdirSync(join(root, folder))) {
      if (!programs.has(name)) rmSync(join(root, folder, name), { recursive: true });
    }
  }
}

function writeUsers(root: string, users: readonly string[]): void {
  const all = ['root:x:0:0:root:/root:/bin/sh', ...users, 'nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin'];
  writeFileSync(join(root, 'etc/passwd'), `${all.join('\n')}\n`);
  const groups = all.map((line) => line.split(':')).map(([name = '', , , group = '']) => `${name}:x:${group}:`);
  writeFileSync(join(root, 'etc/group'), `${groups.join('\n')}\n`);
}

/** Fetches the packages and what they depend on; resolves with the files. */
async function download(image: ImageDefinition): Promise<string[]> {
  const folder = join(CACHE, `apt-${image.suite}`);
  await updateIndex(folder, image.suite);
  try {
    return await fetchPackages(folder, image);
  } catch {
    // The mirror has newer versions than the lists that we keep.
    rmSync(join(folder, STAMP));
    await updateIndex(folder, image.suite);
    return fetchPackages(folder, image);
  }
}

/** Runs apt with lists, state and archives of its own. One at a time: several agents share the cache. */
function apt(folder: string, args: readonly string[]): Promise<string> {
  const options = [
    `-oDir=${folder}`,
    `-oDir::State::status=${folder}/status`,
    '-oAPT::Sandbox::User=root',
    '-qq',
    '-y',
  ];
  const script = 'cd "$0/archives" && exec flock "$0/lock" apt-get "$@"';
  return requireTool('sh', ['-c', script, folder, ...options, ...args]);
}

async function fetchPackages(folder: string, image: ImageDefinition): Promise<string[]> {
  const list = await apt(folder, ['install', '--no-install-recommends', ...image.packages, '--print-uris']);
  const names = [...list.matchAll(/^'[^']+' (\S+\.deb) /gm)].map(([, name = '']) => name);
  const wanted = names.filter((name) => !OMITTED.test(name) || (image.python === true && name.startsWith('python')));
  const archives = join(folder, 'archives');
  const missing = wanted
    .filter((name) => !existsSync(join(archives, name)))
    .map((name) => name.replace(/_([^_]+)_[^_]+\.deb$/, (_, version: string) => `=${decodeURIComponent(version)}`));
  if (missing.length > 0) await apt(folder, ['download', ...missing]);
  return wanted.map((name) => join(archives, name));
}

async function updateIndex(folder: string, suite: string): Promise<void> {
  const stamp = join(folder, STAMP);
  const updatedMs = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (Date.now() - updatedMs < INDEX_LIFE_MS) return;
  for (const name of [
    'archives',
    'etc/apt/apt.conf.d',
    'etc/apt/preferences.d',
    'etc/apt/sources.list.d',
    'var/lib/apt/lists/partial',
    'var/cache/apt/archives/partial',
  ]) {
    mkdirSync(join(folder, name), { recursive: true });
  }
  writeFileSync(join(folder, 'status'), '');
  const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';
  writeFileSync(
    join(folder, 'etc/apt/sources.list'),
    `deb [signed-by=${keyring}] http://deb.debian.org/debian ${suite} main\n`,
  );
  await apt(folder, ['update']);
  writeFileSync(stamp, '');
}
