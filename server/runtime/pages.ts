import next from 'next';
import type { Gate } from '@/server/auth/gate';
import type { Config } from '@/server/config/config';
import type { ConsoleServer } from './http-server';
import { projectRoot } from './root';

/** Prepares Next and lets the server answer with it. The result ends Next. */
export async function servePages(options: {
  readonly dev: boolean;
  readonly server: ConsoleServer;
  readonly config: Config;
  /** Finds who sends a request; absent when nobody signs in. */
  readonly gate: Gate | undefined;
}): Promise<() => Promise<void>> {
  const { dev, server, config, gate } = options;
  const app = next({ dev, dir: projectRoot, hostname: config.host, port: config.port });
  await app.prepare();
  const handle = app.getRequestHandler();
  const upgrade = dev ? app.getUpgradeHandler() : undefined;
  server.serve(
    async (request, response) => {
      if (gate === undefined || (await gate.admit(request, response))) await handle(request, response);
    },
    upgrade && ((request, socket, head) => void upgrade(request, socket, head)),
  );
  return () => app.close();
}
