import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Where a Chromium may be installed; CHROMIUM_PATH comes before these. */
const PLACES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome'];

/** Without these arguments a browser does not start in a rootless or offline container, or connects to its vendor's hosts. */
export const chromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The path of a Chromium that is installed, or undefined. */
export function findChromium() {
  const named = process.env.CHROMIUM_PATH;
  if (named !== undefined && named !== '') return existsSync(named) ? named : undefined;
  return PLACES.find((path) => existsSync(path));
}

/**
 * Finds a Chromium, or installs Debian's as root.
 *
 * @returns {{path: string} | {problem: string}} the browser, or one sentence that says what to do
 */
export function ensureChromium() {
  const found = findChromium();
  if (found !== undefined) return { path: found };
  const sentence =
    'The browser tests need a Chromium: set CHROMIUM_PATH, or run "apt-get install chromium-headless-shell" as root (npm test does so by itself when it runs as root on Debian).';
  if (process.env.CHROMIUM_PATH)
    return { problem: `CHROMIUM_PATH names ${process.env.CHROMIUM_PATH}, which does not exist.` };
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return { problem: sentence };
  const apt = (...args) =>
    spawnSync('apt-get', args, { stdio: ['ignore', 2, 2], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
      .status;
  for (const name of ['chromium-headless-shell', 'chromium']) {
    if (apt('update', '-qq') === 0) apt('install', '-y', '-qq', '--no-install-recommends', name);
    const installed = findChromium();
    if (installed !== undefined) return { path: installed };
  }
  return { problem: sentence };
}
