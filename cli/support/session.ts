import type { Command } from 'commander';
import { type Clock, systemClock } from '@/lib/clock/clock';
import { type Cluster, loadCluster } from '@/server/kube/credentials';
import { type ClosableApi, createApi } from '@/server/kube/http-api';
import { connectTransport } from '@/server/kube/transport';
import { checkCrds } from './check-crds';
import { type ClientFlags, clientTransport } from './client-transport';
import { keepAlive } from './keep-alive';
import { printLine } from './print-line';

/** A verb's connection to a cluster, for as long as the verb runs. */
export interface ClusterSession {
  readonly api: ClosableApi;
  readonly cluster: Cluster;
  readonly clock: Clock;
  /** From `-n`, else the context's. */
  readonly namespace: string;
  /** Writes one line to standard output. */
  printLine(line: string): void;
}

interface SessionFlags extends ClientFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
  readonly validateInstall?: string | boolean;
}

/** Runs `act` with a connection made from the verb's flags, and closes the connection in any case. */
export async function withSession(
  command: Command,
  act: (session: ClusterSession) => Promise<void>,
  onFailure: 'check-crds' | 'rethrow' = 'check-crds',
): Promise<void> {
  const flags = command.optsWithGlobals<SessionFlags>();
  const path = flags.kubeconfig ?? process.env.KUBECONFIG;
  const cluster = loadCluster({ kubeconfigPath: path === '' ? undefined : path, context: flags.context });
  const log = (line: string): void => void process.stderr.write(`${line}\n`);
  const transport = clientTransport(connectTransport(cluster), flags, { clock: systemClock, log });
  const api = createApi(cluster, { clock: systemClock, userAgent: 'bravo', transport });
  const alive = keepAlive();
  try {
    const namespace = flags.namespace || cluster.namespace;
    await act({ api, cluster, clock: systemClock, namespace, printLine }).catch(async (error: unknown) => {
      if (onFailure === 'check-crds' && flags.validateInstall !== 'false') await checkCrds(api);
      throw error;
    });
  } finally {
    alive.stop();
    await api.close();
  }
}

// A reader such as `head` may close the pipe early; that is not an error of the verb.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});

/** Collects a flag that may be given several times. */
export function repeated(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}
