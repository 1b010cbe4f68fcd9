import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from '@/test/programs/process';

/** The programs that building and running an image on this machine needs, each with its Debian package. */
const NEEDED = { '/usr/bin/buildah': 'buildah', '/usr/sbin/debootstrap': 'debootstrap', '/usr/sbin/runc': 'runc' };

/** What Node links to, of glibc and the compiler's runtime, and how it finds names and certificates. */
const BASE_FILES = [
  ...['libc.so.6', 'libdl.so.2', 'libgcc_s.so.1', 'libm.so.6', 'libnss_dns.so.2', 'libnss_files.so.2'],
  ...['libpthread.so.0', 'libresolv.so.2', 'librt.so.1', 'libstdc++.so.6'],
].map((name) => `usr/lib/x86_64-linux-gnu/${name}`);
const BASE_ETC = ['etc/passwd', 'etc/group', 'etc/nsswitch.conf', 'etc/ssl/certs/ca-certificates.crt'];

/** Why no image can be built here; undefined when one can. */
export function whyNoImage(): string | undefined {
  const missing = Object.entries(NEEDED).flatMap(([path, name]) => (existsSync(path) ? [] : [name]));
  if (missing.length > 0) return `an image is built and run with the Debian packages ${missing.join(', ')}`;
  return process.getuid?.() === 0 ? undefined : 'an image is built and run as root';
}

/** The built image, unpacked. */
export interface BuiltImage {
  readonly root: string;
  readonly config: { readonly User?: string; readonly Env?: string[]; readonly Labels?: { [name: string]: string } };
}

/** Builds deploy/Dockerfile on two bases made of Debian's packages and this machine's Node; everything is below `folder`. */
export function buildImage(folder: string): BuiltImage {
  const storage = join(folder, 'storage.conf');
  const places = `graphroot = "${join(folder, 'storage')}"\nrunroot = "${join(folder, 'run')}"\n`;
  writeFileSync(storage, `[storage]\ndriver = "vfs"\n${places}`);
  const environment: NodeJS.ProcessEnv = { ...process.env, CONTAINERS_STORAGE_CONF: storage };
  const call = (program: string, ...words: string[]) => run(environment, program, words);
  const debian = join(folder, 'debian');
  call('debootstrap', '--variant=minbase', '--include=ca-certificates,libstdc++6', 'trixie', debian);
  const base = join(folder, 'base');
  makeBase(debian, base);
  addNode(debian);
  for (const [name, root] of Object.entries({ base, builder: debian })) {
    const container = call('buildah', 'from', 'scratch').trim();
    call('buildah', 'add', '-q', container, root, '/');
    call('buildah', 'commit', '-q', '--rm', container, `bravo-test-${name}`);
  }
  const tag = 'bravo-test';
  const bases = ['--base', 'localhost/bravo-test-base', '--builder', 'localhost/bravo-test-builder'];
  environment.BRAVO_IMAGE_OPTIONS = '--isolation=chroot';
  call(process.execPath, join(projectRoot, 'scripts/image.mjs'), '--tool', 'buildah', '--tag', tag, ...bases);
  const container = call('buildah', 'from', `localhost/${tag}`).trim();
  const described = JSON.parse(call('buildah', 'inspect', '--type', 'image', `localhost/${tag}`));
  return { root: call('buildah', 'mount', container).trim(), config: described.OCIv1.config };
}

function makeBase(debian: string, base: string): void {
  for (const path of [...BASE_FILES, ...BASE_ETC, 'usr/lib64/ld-linux-x86-64.so.2']) {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    cpSync(join(debian, path), join(base, path), { dereference: true });
  }
  for (const name of ['proc', 'dev', 'sys', 'tmp', 'usr/local/bin']) mkdirSync(join(base, name), { recursive: true });
  // As every base has it: runc gives a /tmp in memory the mode of the folder below it.
  chmodSync(join(base, 'tmp'), 0o1777);
  for (const name of ['lib', 'lib64']) symlinkSync(`usr/${name}`, join(base, name));
}

/** Node and npm of this machine, where the builder has them. */
function addNode(debian: string): void {
  const npm = run(process.env, 'npm', ['root', '-g']).trim();
  mkdirSync(join(debian, 'usr/local/lib/node_modules'), { recursive: true });
  cpSync(process.execPath, join(debian, 'usr/local/bin/node'));
  cpSync(join(npm, 'npm'), join(debian, 'usr/local/lib/node_modules/npm'), { recursive: true, verbatimSymlinks: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(debian, 'usr/local/bin/npm'));
  // This machine may reach the registry through a proxy with a certificate of its own.
  cpSync('/etc/ssl/certs/ca-certificates.crt', join(debian, 'etc/ssl/certs/ca-certificates.crt'), {
    dereference: true,
  });
  mkdirSync(join(debian, 'usr/local/etc'), { recursive: true });
  writeFileSync(join(debian, 'usr/local/etc/npmrc'), 'cafile=/etc/ssl/certs/ca-certificates.crt\n');
  cpSync('/etc/resolv.conf', join(debian, 'etc/resolv.conf'), { dereference: true });
}

function run(environment: NodeJS.ProcessEnv, program: string, words: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, [...words], {
    env: environment,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  if (status === 0) return stdout;
  throw new Error(`${program} ${words.join(' ')}: ${error?.message ?? stderr.slice(-4_000)}`);
}
