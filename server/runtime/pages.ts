import next from 'next';
import type { Config } from '@/server/config/config';
import type { ConsoleServer } from './http-server';
import { projectRoot } from './root';

/** Prepares Next and lets the server answer with it. The result ends Next. */
export async function servePages(options: {
  readonly dev: boolean;
  readonly server: ConsoleServer;
  readonly config: Config;
}): Promise<() => Promise<void>> {
  const { dev, server, config } = options;
  const app = next({ dev, dir: projectRoot, hostname: config.host, port: config.port });
  await app.prepare();
  const handle = app.getRequestHandler();
  const upgrade = dev ? app.getUpgradeHandler() : undefined;
  server.serve(
    (request, response) => void handle(request, response),
    upgrade && ((request, socket, head) => void upgrade(request, socket, head)),
  );
  return () => app.close();
}
