import { readFileSync } from 'node:fs';
import { createServer, get } from 'node:http';
import { join } from 'node:path';
import next from 'next';
import { systemClock } from '@/lib/clock/clock';
import { TerminalError } from '@/lib/errors/errors';
import { getAt, isJsonObject } from '@/lib/json/json';
import { clientAddress } from '@/server/auth/client-address';
import type { Gate } from '@/server/auth/gate';
import type { ViewAs } from '@/server/auth/view-as';
import type { Config } from '@/server/config/config';
import { CLIENT_HEADER } from '@/server/http/headers';
import type { TerminalServer } from '@/server/terminal/terminal-server';
import type { ConsoleServer } from './http-server';
import { projectRoot } from './root';

/** Prepares Next and lets the server answer with it. The result ends Next. */
export async function servePages(options: {
  readonly dev: boolean;
  readonly server: ConsoleServer;
  readonly config: Config;
  /** Finds who sends a request; absent when nobody signs in. */
  readonly gate: Gate | undefined;
  readonly viewAs: ViewAs;
  readonly terminals: TerminalServer;
}): Promise<() => Promise<void>> {
  const { dev, server, config, gate, viewAs, terminals } = options;
  if (!dev) checkBuiltFor(config);
  // Next calls every loopback address `localhost` inside of proxy.ts. Under another name a rewrite there would be another server for
  // it, which it asks over HTTP, without the headers of the session. It listens to nothing: the name is used for nothing else.
  // Next would take every upgrade of the server of its first request, before any check of ours. It gets a server that listens to nothing.
  const httpServer = createServer();
  const app = next({ dev, dir: projectRoot, hostname: 'localhost', port: config.port, httpServer });
  await app.prepare();
  const handle = app.getRequestHandler();
  const upgradeOfNext = dev ? app.getUpgradeHandler() : undefined;
  server.serve(
    async (request, response) => {
      request.headers[CLIENT_HEADER] = clientAddress(request, config.auth.trustedProxies);
      if (gate !== undefined && !(await gate.admit(request, response))) return;
      await viewAs.admit(request, response);
      await handle(request, response);
    },
    (request, socket, head) => {
      if (terminals.isFor(request)) void terminals.upgrade(request, socket, head);
      else if (upgradeOfNext === undefined) socket.destroy();
      else void upgradeOfNext(request, socket, head);
    },
  );
  const warming = systemClock.after(WARM_AFTER_MS, () => warm(config));
  return () => {
    warming.cancel();
    return app.close();
  };
}

/** When a start is over. */
const WARM_AFTER_MS = 1_500;

/**
 * Lets Next load what all pages share, which takes half a second, before a person asks for the first one. The page that it asks for reads
 * nothing of the cluster. A console with a sign-in answers other addresses than its own only with a refusal, so it is not asked.
 */
function warm({ auth, tls, host, port, basePath }: Config): void {
  if (auth.mode !== 'kubeconfig' || tls !== undefined) return;
  const request = get({ host, port, path: `${basePath}/sign-in` }, (response) => response.resume());
  // Nothing depends on it.
  request.on('error', () => undefined);
}

/** Pages have their base path in them. @throws TerminalError when they were built for another one than is wanted */
function checkBuiltFor({ basePath, pagesDir }: Config): void {
  const built: unknown = JSON.parse(readFileSync(join(projectRoot, pagesDir, 'required-server-files.json'), 'utf8'));
  const found = isJsonObject(built) ? (getAt(built, 'config', 'basePath') ?? '') : '';
  if (found === basePath) return;
  const [have, want] = [found, basePath].map((path) => (path === '' ? 'no base path' : `the base path ${path}`));
  const message = `BRAVO_BASE_PATH: the pages were built for ${have}, and ${want} is asked for. Build them again with BRAVO_BASE_PATH=${basePath} npm run build.`;
  throw new TerminalError(message, 'InvalidSettings');
}
