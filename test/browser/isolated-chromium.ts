import { writeFileSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright';
import { projectRoot, temporaryFolder } from '@/test/programs/process';
import { chromiumArgs, ensureChromium } from '../programs/chromium.mjs';

/** The browser, and its end. */
export interface IsolatedChromium {
  readonly browser: Browser;
  close(): Promise<void>;
}

/**
 * Starts Chromium in a network namespace of its own, in which only 127.0.0.1:port exists and leads to the same address outside.
 * Chromium aborts its requests (ERR_NETWORK_CHANGED) when an interface of the machine appears or disappears, and each pod of the node
 * agent has one. The browser of a person is on another machine.
 */
export async function startIsolatedChromium(port: number): Promise<IsolatedChromium> {
  const found = ensureChromium();
  if ('problem' in found) throw new Error(found.problem);
  const folder = temporaryFolder('browser');
  const socket = join(folder, 'console.sock');
  // A Unix socket is a file: it is the same one in every network namespace.
  const server = createServer((client) => {
    const console = createConnection(port, '127.0.0.1');
    client.pipe(console).pipe(client);
    for (const side of [client, console]) side.on('error', () => [client, console].map((each) => each.destroy()));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(socket, resolve));
  const launcher = join(folder, 'chromium');
  writeFileSync(launcher, launcherOf(found.path, `${port} ${socket}`), { mode: 0o755 });
  const browser = await chromium.launch({ executablePath: launcher, args: [...chromiumArgs] });
  return {
    browser,
    async close() {
      await browser.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Playwright speaks to Chromium through inherited file descriptors, which `exec` keeps; the forwarder ends with Chromium. */
function launcherOf(program: string, forwarded: string): string {
  const forward = join(projectRoot, 'test/browser/forward.mjs');
  return `#!/bin/sh
exec unshare --net sh -c '
ip link set lo up
setpriv --pdeathsig KILL ${process.execPath} ${forward} ${forwarded} 3<&- 4>&- &
exec ${program} "$@"' chromium "$@"
`;
}
