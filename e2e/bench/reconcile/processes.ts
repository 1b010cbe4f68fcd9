import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@/lib/clock/clock';
import { loadCluster } from '@/server/kube/credentials';
import { type ClosableApi, createApi } from '@/server/kube/http-api';
import { connectTransport, type Transport } from '@/server/kube/transport';
import { freePort, type Running, startProgram, temporaryFolder } from '@/test/programs/process';

/** A sandbox and a controller as the processes that a user starts, and an API client. */
export interface Processes {
  readonly api: ClosableApi;
  readonly sandbox: Running;
  /** The path of the file with which another client reaches the sandbox. */
  readonly kubeconfig: string;
  controller(): Running;
  /** Kills the controller with SIGKILL and waits until the process has ended. */
  killController(): Promise<void>;
  /** Starts one and resolves at once. */
  startController(): Running;
  /** Requests that the sandbox has answered to other clients, without watches, and the commits of its store. */
  counts(): Promise<RequestCounts>;
  stop(): Promise<void>;
}

export interface RequestCounts {
  readonly requests: number;
  readonly watches: number;
  readonly commits: number;
  readonly writes: number;
}

/** As users call it: its first line sets the options of Node. */
const BRAVO = 'bin/bravo';

/** Starts both on an empty data folder, with KUDO's definitions installed and the lease held. */
export async function startProcesses(): Promise<Processes> {
  const folder = temporaryFolder('bench');
  const kubeconfig = join(folder, 'kubeconfig');
  const tokens = join(folder, 'tokens.csv');
  writeFileSync(tokens, 'bench-token,bench,bench,"system:masters"\n');
  const sandbox = startProgram(BRAVO, [
    ...['sandbox', '--port', String(await freePort()), '--data-dir', join(folder, 'data')],
    ...['--token-auth-file', tokens, '--write-kubeconfig', kubeconfig, '--pod-delay', '0'],
  ]);
  await sandbox.printed('The sandbox serves');
  const cluster = loadCluster({ kubeconfigPath: kubeconfig });
  const own = { requests: 0 };
  const api = createApi(cluster, { clock: systemClock, transport: counting(connectTransport(cluster), own) });
  let controller: Running;
  const start = () => {
    controller = startProgram(BRAVO, ['controller', '--install-crds', '--kubeconfig', kubeconfig]);
    return controller;
  };
  await start().printed('lease.held');
  return {
    api,
    sandbox,
    kubeconfig,
    controller: () => controller,
    startController: start,
    async killController() {
      controller.child.kill('SIGKILL');
      await controller.exited();
    },
    async counts() {
      const all = readCounts(await metricsOf(api));
      return { ...all, requests: all.requests - own.requests };
    },
    async stop() {
      await api.close();
      await controller.stop();
      await sandbox.stop();
    },
  };
}

function counting(transport: Transport, own: { requests: number }): Transport {
  return {
    ...transport,
    async request(request) {
      const response = await transport.request(request);
      // Counted when answered, as the sandbox does; the request for the counts is not in them yet.
      if (!request.path.includes('watch=1')) own.requests += 1;
      return response;
    },
  };
}

async function metricsOf(api: ClosableApi): Promise<string> {
  const { body } = await api.raw({ method: 'GET', path: '/metrics' });
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** The counters of `/metrics`, which do not contain the request that reads them. */
function readCounts(text: string): RequestCounts {
  let requests = 1;
  let watches = 0;
  for (const [, labels = '', count] of text.matchAll(/^apiserver_request_total\{(.*)\} (\d+)$/gm)) {
    if (labels.includes('verb="WATCH"')) watches += Number(count);
    else requests += Number(count);
  }
  const single = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
  return {
    requests,
    watches,
    commits: single('bravo_store_commits_total'),
    writes: single('bravo_store_writes_total'),
  };
}

/** Milliseconds of processor time that a process has used so far, all threads, user and system. */
export function cpuMs(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  const ticksPerSecond = 100;
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / ticksPerSecond;
}

export function rssMb(pid: number | undefined): number {
  const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(match?.[1] ?? Number.NaN) / 1_024;
}
