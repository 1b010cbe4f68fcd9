// npm run test:real [-- [--where-possible] NAME…]: the bundled operators as real containers on this machine. The last line is the
// sum. With --where-possible, a machine that cannot run them is no failure: one sentence says what is missing.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkNode, endWithNpm, ensureInstalled, fail, say } from './prepare.mjs';
import { root } from './tree.mjs';

const WHERE_POSSIBLE = '--where-possible';

/** Programs and files that the node agent needs, each with its Debian package. */
const NEEDED = {
  '/usr/sbin/runc': 'runc',
  '/usr/lib/cni/ptp': 'containernetworking-plugins',
  '/usr/sbin/nft': 'nftables',
  '/usr/sbin/ip': 'iproute2',
  '/usr/sbin/mkfs.ext4': 'e2fsprogs',
  '/usr/bin/unshare': 'util-linux',
  '/usr/share/keyrings/debian-archive-keyring.gpg': 'debian-archive-keyring',
};

const words = process.argv.slice(2);
const names = words.filter((word) => word !== WHERE_POSSIBLE);

checkNode();
endWithNpm();
const problem = missing();
if (problem === undefined) {
  ensureInstalled();
  if (names.length === 0) await makeImages();
  process.exit(await runTests(names));
}
const sentence = `npm run test:real cannot run here: ${problem}.`;
if (!words.includes(WHERE_POSSIBLE)) fail(sentence);
say(sentence);
console.log('0 passed, 0 failed');

/** Why the tests cannot run here; undefined when they can. */
function missing() {
  if (process.platform !== 'linux' || !existsSync('/etc/debian_version'))
    return 'it needs Debian, because its containers are made of Debian packages';
  if (process.getuid?.() !== 0) return 'it needs root, because it makes namespaces, mounts and network interfaces';
  if (!installPackages())
    return `it needs the Debian packages ${Object.values(NEEDED).join(', ')}, and apt-get could not install them`;
  return refused() ?? unreachable();
}

/** What the kernel refuses to do here; undefined when it does everything that a container needs. */
function refused() {
  const trials = {
    'namespaces and mounts': 'mount -t tmpfs none /mnt',
    'pairs of network interfaces': 'ip link add bravo-trial type veth peer name bravo-other',
    'rules of nftables': 'nft add table ip bravo-trial',
    'loop devices': 'losetup --find',
  };
  const isolated = ['--pid', '--fork', '--mount', '--mount-proc', '--net', 'sh', '-c'];
  const [first] = Object.entries(trials).filter(([, trial]) => spawnSync('unshare', [...isolated, trial]).status !== 0);
  return first === undefined ? undefined : `the kernel refuses ${first[0]} (${first[1]})`;
}

/** Why images cannot be made here; undefined when they can, or when some were made before. */
function unreachable() {
  if (existsSync(process.env.BRAVO_ROOTFS_CACHE ?? join(homedir(), '.cache/bravo/rootfs'))) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'bravo-mirror-'));
  const options = ['-oAcquire::Retries=0', '-oAcquire::http::Timeout=10'];
  const url = 'http://deb.debian.org/debian/dists/trixie/InRelease';
  const { status } = spawnSync('/usr/lib/apt/apt-helper', [...options, 'download-file', url, join(folder, 'release')]);
  rmSync(folder, { recursive: true });
  return status === 0 ? undefined : 'its images are made of packages of deb.debian.org, which cannot be reached';
}

/** False when a package is missing and cannot be installed. */
function installPackages() {
  const packages = Object.entries(NEEDED).flatMap(([path, name]) => (existsSync(path) ? [] : [name]));
  if (packages.length === 0) return true;
  say(`Installing ${packages.join(', ')} …`);
  const options = { stdio: ['ignore', 2, 2], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  const install = () =>
    spawnSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], options).status;
  if (install() === 0) return true;
  spawnSync('apt-get', ['update', '-q'], options);
  return install() === 0;
}

/** Makes the images that are not in the cache, so that no test waits for them. One that fails is the failure of the tests that need it. */
async function makeImages() {
  const { bundleScript } = await import('./bundle-script.mjs');
  const file = await bundleScript('test/node/make-images.ts');
  say('Making the images that are not in the cache …');
  spawnSync(process.execPath, [file], { stdio: ['ignore', 2, 2] });
}

/** @param {string[]} names of operators; all without one */
async function runTests(names) {
  const known = readdirSync(join(root, 'e2e/real'))
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => name.replace(/\.test\.ts$/, ''));
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) fail(`There is no e2e/real/${unknown}.test.ts; there are ${known.join(', ')}.`);
  const scratch = mkdtempSync(join(tmpdir(), 'bravo-real-'));
  const report = join(scratch, 'real.json');
  // Building the image takes as long as all others together.
  const wanted = names.length > 0 ? names : known.filter((name) => name !== 'image');
  const files = wanted.map((name) => `e2e/real/${name}.test.ts`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  // Whatever ends this process ends the tests, and they end what they started.
  const child = spawn(
    'setpriv',
    [
      ...['--pdeathsig', 'KILL', process.execPath, 'node_modules/vitest/vitest.mjs'],
      ...['run', '--project', 'real', ...reporters, ...files],
    ],
    { cwd: root, stdio: ['ignore', 1, 2], env: { ...process.env, TMPDIR: scratch } },
  );
  const status = await new Promise((resolve) => child.once('close', resolve));
  let passed = 0;
  // A runner that crashed counts as one failure.
  let failed = status === 0 ? 0 : 1;
  if (existsSync(report)) {
    const sum = JSON.parse(readFileSync(report, 'utf8'));
    passed = sum.numPassedTests;
    failed = Math.max(sum.numFailedTests, failed);
  }
  if (failed === 0) rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
  else say(`The files of the tests are in ${scratch}`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}
