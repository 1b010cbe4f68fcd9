import { sleep } from '@/lib/clock/clock';
import { INSTANCES, OPERATOR_VERSIONS, OPERATORS } from '@/lib/kudo/crds/crds';
import { type Instance, KUDO_API_VERSION } from '@/lib/kudo/types';
import type { Transport } from '@/server/kube/transport';
import type { SimulatedProcess } from '../robustness/simulation/process';
import { type Simulation, startSimulation } from '../robustness/simulation/simulation';
import { type Figure, figure } from './figure';
import { benchOperator } from './reconcile/work';

/** `BRAVO_BENCH_INSTANCES` plays fewer, for a first look. */
const INSTANCES_IN_ALL = Number(process.env.BRAVO_BENCH_INSTANCES ?? 10_000);
const SHARDS = 16;
const shards = Array.from({ length: SHARDS }, (_, shard) => shard);
const NAMESPACES = 20;
/** What a request takes at the API server, for which this virtual one has no limit. */
const REQUEST_MS = 10;
/** So many plans are counted from the first COMPLETE one on, while all others wait. */
const MEASURED = Math.min(1_500, INSTANCES_IN_ALL / 2);
const MEASURED_WITHIN_MS = 300_000;
const LEADS_WITHIN_MS = 60_000;

/**
 * The real controllers on a virtual clock: each works on ten Instances at once, each request takes 10 ms, and the API server takes any
 * number. Ten thousand Instances wait for their first plan; counted is how many are COMPLETE in a virtual second, with one controller and with
 * four. So it measures whether controllers wait for each other, and nothing of a processor or of a real API server.
 */
export async function run(): Promise<Figure[]> {
  const one = await plansPerSecond(1);
  const four = await plansPerSecond(4);
  return [
    figure('plans-per-s-virtual, 1 controller', one, '/s', { atLeast: 30 }),
    figure('plans-per-s-virtual, 4 controllers', four, '/s', { atLeast: 90 }),
    figure('4 controllers to 1', four / one, '', { atLeast: 3 }),
  ];
}

async function plansPerSecond(controllers: number): Promise<number> {
  const simulation = await startSimulation({
    seed: `shards ${controllers}`,
    faultRate: { percent: 0 },
    podDelayMs: 0,
    shards: SHARDS,
    onWatch: (transport) => slow(transport, simulation),
  });
  const complete = countComplete(simulation);
  const measured = await simulation.scheduler.drive(measure(simulation, controllers, complete));
  await simulation.stop();
  return measured;
}

async function measure(simulation: Simulation, controllers: number, complete: () => number): Promise<number> {
  const { scheduler } = simulation;
  const started: SimulatedProcess[] = [];
  // One after the other: each has a name of its own.
  while (started.length < controllers) started.push(await simulation.startController());
  const share = SHARDS / controllers;
  const sharesOf = () => started.map(({ controller }) => shards.filter((shard) => controller.leadsShard(shard)).length);
  const isShared = await scheduler.until(() => sharesOf().every((size) => size === share), LEADS_WITHIN_MS);
  if (!isShared) throw new Error(`the shards are held as ${sharesOf().join(', ')}`);
  createInstances(simulation);
  await scheduler.until(() => complete() > 0, LEADS_WITHIN_MS);
  const [before, startMs] = [complete(), simulation.clock.now()];
  await scheduler.until(() => complete() >= before + MEASURED, MEASURED_WITHIN_MS);
  return ((complete() - before) * 1_000) / (simulation.clock.now() - startMs);
}

function slow(transport: Transport, { clock }: Pick<Simulation, 'clock'>): Transport {
  return {
    ...transport,
    async request(request) {
      await sleep(clock, REQUEST_MS);
      return transport.request(request);
    },
  };
}

function createInstances({ sandbox }: Simulation): void {
  const version = benchOperator.version ?? '';
  const name = `bench-${version}`;
  for (let index = 0; index < NAMESPACES; index++) {
    const namespace = `team-${index}`;
    const named = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
    sandbox.api.create({ group: '', version: 'v1', resource: 'namespaces' }, named);
    const operator = {
      apiVersion: KUDO_API_VERSION,
      kind: 'Operator',
      metadata: { name: 'bench', namespace },
      spec: {},
    };
    sandbox.api.create({ ...OPERATORS, namespace }, operator);
    const spec = { ...benchOperator, operator: { name: 'bench' } };
    const of = { apiVersion: KUDO_API_VERSION, kind: 'OperatorVersion', metadata: { name, namespace }, spec };
    sandbox.api.create({ ...OPERATOR_VERSIONS, namespace }, of);
  }
  for (let index = 0; index < INSTANCES_IN_ALL; index++) {
    const namespace = `team-${index % NAMESPACES}`;
    const metadata = { name: `app-${index}`, namespace };
    const instance = { apiVersion: KUDO_API_VERSION, kind: 'Instance', metadata, spec: { operatorVersion: { name } } };
    sandbox.api.create({ ...INSTANCES, namespace }, instance);
  }
}

function countComplete({ sandbox }: Simulation): () => number {
  const complete = new Set<string>();
  sandbox.api.watch({ ...INSTANCES }, ({ object }) => {
    if ((object as Instance).status?.planStatus?.deploy?.status === 'COMPLETE') complete.add(object.metadata.uid ?? '');
  });
  return () => complete.size;
}
