import type { ClusterRows } from '@/lib/clusters/cluster-info';
import { createNamespace, type Engine, startEngine } from '@/test/engine/https-engine';
import { type ClustersConsole, startClustersConsole } from '@/test/programs/clusters-console';
import { createInstance } from './browsers/cluster';
import { type Figure, figure } from './figure';
import { rssMb } from './reconcile/processes';

const CLUSTERS = 20;
const INSTANCES = 500;
const PARALLEL = 8;
const NAMESPACE = 'bench';

/**
 * One console in front of 20 clusters with 500 Instances each, which run in the process of the benchmark. Milliseconds from the request
 * to the first and to all rows of the list over all clusters, of a console that has asked none of them before and of one that has; the
 * memory of the console's process after that, with an event stream open to each cluster.
 */
export async function run(): Promise<Figure[]> {
  const engines: Engine[] = [];
  try {
    for (let at = 0; at < CLUSTERS; at++) engines.push(await startFilled());
    const contexts = engines.map(({ sandbox: { url, caPem, kubeconfig } }, at) => ({
      ...{ name: `cluster-${at}`, server: url, caPem },
      token: /token: (\S+)/.exec(kubeconfig)?.[1] ?? '',
    }));
    const console = await startClustersConsole(contexts);
    try {
      return await measure(console);
    } finally {
      await console.running.stop();
    }
  } finally {
    await Promise.all(engines.map((engine) => engine.stop()));
  }
}

async function startFilled(): Promise<Engine> {
  const engine = await startEngine({ controller: false });
  await createNamespace(engine.api, NAMESPACE);
  let next = 0;
  const worker = async () => {
    while (next < INSTANCES) await createInstance(engine.api, NAMESPACE, `in-${next++}`);
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  return engine;
}

async function measure({ base, running }: ClustersConsole): Promise<Figure[]> {
  const { pid } = running.child;
  const startMb = rssMb(pid);
  const cold = await readAll(base);
  const streams = await openStreams(base);
  const warm = await readAll(base);
  const openMb = rssMb(pid);
  for (const stream of streams) stream.abort();
  return [
    { name: 'clusters-20-start-rss-mb', value: Math.round(startMb), unit: 'MB' },
    figure('clusters-20-first-rows-ms', cold.firstMs, 'ms', { atMost: 1_500 }),
    { name: 'clusters-20-all-rows-ms', value: Math.round(cold.allMs), unit: 'ms' },
    figure('clusters-20-again-first-rows-ms', warm.firstMs, 'ms', { atMost: 1_500 }),
    { name: 'clusters-20-again-all-rows-ms', value: Math.round(warm.allMs), unit: 'ms' },
    figure('clusters-20-rss-mb', openMb, 'MB', { atMost: 600 }),
  ];
}

/** The list over all clusters, read to its end. @throws Error when rows are missing */
async function readAll(base: string): Promise<{ readonly firstMs: number; readonly allMs: number }> {
  const startedMs = performance.now();
  const response = await fetch(`${base}/api/clusters/instances`);
  let firstMs: number | undefined;
  let rest = '';
  let rows = 0;
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      rows += countRows(line);
      firstMs ??= performance.now() - startedMs;
    }
  }
  const allMs = performance.now() - startedMs;
  if (rows !== CLUSTERS * INSTANCES) throw new Error(`${rows} rows instead of ${CLUSTERS * INSTANCES}`);
  return { firstMs: firstMs ?? Number.NaN, allMs };
}

function countRows(line: string): number {
  const { cluster, instances, problem } = JSON.parse(line) as ClusterRows;
  if (problem !== undefined) throw new Error(`${cluster}: ${problem}`);
  return instances.length;
}

/** As an open page of each cluster: an event stream of its rows, which has given the first of them. */
async function openStreams(base: string): Promise<AbortController[]> {
  return Promise.all(
    Array.from({ length: CLUSTERS }, async (_, at) => {
      const abort = new AbortController();
      const prefix = at === 0 ? '' : `/c/cluster-${at}`;
      const url = `${base}${prefix}/api/live?topic=kudo.dev/v1beta1/instances!rows`;
      const { body } = await fetch(url, { signal: abort.signal });
      const reader = body?.getReader();
      let text = '';
      const decoder = new TextDecoder();
      while (!text.includes('"in-0"')) {
        const part = await reader?.read();
        if (part === undefined || part.done) throw new Error(`The stream of cluster-${at} ended without rows.`);
        text += decoder.decode(part.value, { stream: true });
      }
      return abort;
    }),
  );
}
