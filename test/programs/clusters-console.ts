import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, type Running, startNode, temporaryFolder } from './process';

/** A context of a kubeconfig. */
export interface ContextFacts {
  readonly name: string;
  readonly server: string;
  readonly caPem: string;
  readonly token: string;
}

/** A console in front of clusters of a test. */
export interface ClustersConsole {
  readonly base: string;
  readonly running: Running;
}

/** The text of a kubeconfig; its first context is the current one. */
export function kubeconfigOf(contexts: readonly ContextFacts[]): string {
  return JSON.stringify({
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': contexts[0]?.name },
    contexts: contexts.map(({ name }) => ({ name, context: { cluster: name, user: name } })),
    clusters: contexts.map(({ name, server, caPem }) => ({
      name,
      cluster: { server, 'certificate-authority-data': Buffer.from(caPem).toString('base64') },
    })),
    users: contexts.map(({ name, token }) => ({ name, user: { token } })),
  });
}

/** Starts a console whose home cluster is the first context, and which knows the others too. */
export async function startClustersConsole(
  contexts: readonly ContextFacts[],
  settings: { readonly [name: string]: string } = {},
): Promise<ClustersConsole> {
  const folder = temporaryFolder('clusters');
  // Not `kubeconfig`, which in the data folder is the sandbox's own.
  const kubeconfig = join(folder, 'contexts');
  writeFileSync(kubeconfig, kubeconfigOf(contexts));
  const port = String(await freePort());
  const running = startNode(['bin/bravo', 'console'], {
    ...{ KUBECONFIG: kubeconfig, PORT: port, BRAVO_DATA: folder, BRAVO_CONTROLLER: 'off' },
    ...settings,
  });
  await running.printed('Bravo is ready', 180_000);
  return { base: `http://127.0.0.1:${port}`, running };
}
