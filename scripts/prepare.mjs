import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestOf, root } from './tree.mjs';

export { checkNode } from './check-node.mjs';

/**
 * npm sends SIGTERM to the shell between it and this process, and the shell exits without forwarding it. So a process that npm
 * started ends when its parent has exited.
 */
export function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 250);
  timer.unref();
}

/** Installs the packages of the lock file if they are not installed. */
export function ensureInstalled() {
  const installed = statSync(join(root, 'node_modules/.package-lock.json'), { throwIfNoEntry: false });
  const lock = statSync(join(root, 'package-lock.json'));
  if (installed !== undefined && installed.mtimeMs >= lock.mtimeMs) return;
  say('Installing packages (npm ci) …');
  // Builds and tests need the development packages, whatever NODE_ENV says.
  run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
}

/** The sources of the pages. */
const PAGE_SOURCES = [
  'app',
  'components',
  'lib',
  'server',
  'public',
  'proxy.ts',
  'next.config.js',
  'postcss.config.mjs',
  'package-lock.json',
];
/** The folder of the built pages: another one for pages with another base path. */
const PAGES = process.env.BRAVO_NEXT_DIR || '.next';
/** Says of which sources and which base path they are. */
export const STAMP = `${PAGES}/bravo-digest`;

/** Builds the pages if their sources changed after the last build. */
export function ensurePages() {
  // Next puts the base path into the pages.
  const digest = `${digestOf(PAGE_SOURCES)}${process.env.BRAVO_BASE_PATH || ''}`;
  const stamp = join(root, STAMP);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;
  say('Building the pages (next build) …');
  // Next adds the folder of the built pages to tsconfig.json, which is in the repository, and formats it anew.
  const tsconfig = join(root, 'tsconfig.json');
  const before = readFileSync(tsconfig, 'utf8');
  run('node', ['node_modules/next/dist/bin/next', 'build'], { NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' });
  if (readFileSync(tsconfig, 'utf8') !== before) writeFileSync(tsconfig, before);
  writeFileSync(stamp, digest);
}

/** Runs a command in the project's root; ends this process with its exit code when it fails. */
export function run(command, args, environment = {}) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    // Standard output is for results (figures, the ready line); progress goes to standard error.
    stdio: ['ignore', 2, 2],
    env: { ...process.env, ...environment },
  });
  if (error !== undefined) fail(`${command} could not be started: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

export function say(text) {
  process.stderr.write(`${text}\n`);
}

export function fail(text) {
  say(text);
  process.exit(1);
}
