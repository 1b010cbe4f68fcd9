// npm run test:real [-- NAME]: the bundled operators as real containers on this machine. The last line is the sum.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkNode, ensureInstalled, fail, say } from './prepare.mjs';
import { root } from './tree.mjs';

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

checkNode();
const problem = missing();
if (problem !== undefined) fail(problem);
ensureInstalled();
installPackages();
process.exit(runTests(process.argv.slice(2)));

/** Why the tests cannot run here, in one sentence. */
function missing() {
  if (process.platform !== 'linux' || !existsSync('/etc/debian_version'))
    return 'npm run test:real needs Debian: it runs containers that are made of its packages.';
  if (process.getuid?.() !== 0)
    return 'npm run test:real needs root: it makes namespaces, mounts and network interfaces.';
  const namespaces = spawnSync('unshare', ['--pid', '--fork', '--mount', '--mount-proc', 'true']);
  if (namespaces.status !== 0) return 'npm run test:real needs CAP_SYS_ADMIN: it makes namespaces and mounts.';
  return undefined;
}

function installPackages() {
  const packages = Object.entries(NEEDED).flatMap(([path, name]) => (existsSync(path) ? [] : [name]));
  if (packages.length === 0) return;
  say(`Installing ${packages.join(', ')} …`);
  const options = { stdio: ['ignore', 2, 2], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  const install = () =>
    spawnSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], options).status;
  if (install() === 0) return;
  spawnSync('apt-get', ['update', '-q'], options);
  if (install() !== 0)
    fail(`npm run test:real needs the Debian packages ${packages.join(', ')}, and apt-get could not install them.`);
}

/** @param {string[]} names of operators; all without one */
function runTests(names) {
  const known = readdirSync(join(root, 'e2e/real'))
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => name.replace(/\.test\.ts$/, ''));
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) fail(`There is no e2e/real/${unknown}.test.ts; there are ${known.join(', ')}.`);
  const scratch = mkdtempSync(join(tmpdir(), 'bravo-real-'));
  const report = join(scratch, 'real.json');
  const files = names.map((name) => `e2e/real/${name}.test.ts`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { status } = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--project', 'real', ...reporters, ...files],
    { cwd: root, stdio: ['ignore', 1, 2], env: { ...process.env, TMPDIR: scratch } },
  );
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
