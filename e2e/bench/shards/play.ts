import { INSTANCES, OPERATOR_VERSIONS, OPERATORS } from '@/lib/kudo/crds/crds';
import { type Instance, KUDO_API_VERSION } from '@/lib/kudo/types';
import type { SimulatedProcess } from '../../robustness/simulation/process';
import { type Simulation, startSimulation } from '../../robustness/simulation/simulation';
import { benchOperator } from '../reconcile/work';
import { Station, type Times, timedTransport } from './station';

const SHARDS = 16;
const shards = Array.from({ length: SHARDS }, (_, shard) => shard);
const NAMESPACES = 20;
const SHARED_WITHIN_MS = 120_000;
const COUNTED_WITHIN_MS = 3_600_000;

export interface Game {
  readonly controllers: number;
  /** All of them are created at once, and wait for their first plan. */
  readonly instances: number;
  /** So many plans end before the first one is counted: then every controller is in the middle of its work. */
  readonly warmUp: number;
  readonly counted: number;
  readonly times: Times;
  /** Requests that the API server serves at once. */
  readonly places: number;
}

export interface Played {
  readonly plansPerS: number;
  readonly requestsPerPlan: number;
  /** To one controller. */
  readonly eventsPerPlan: number;
  /** Of the busiest processor of a controller, in percent. */
  readonly busyPercent: number;
}

/** Plays the real controllers with 16 shards on a virtual clock, on which processors, network and API server take the given times. */
export async function play(game: Game): Promise<Played> {
  const traffic = { requests: 0, events: 0 };
  const processors: Station[] = [];
  let apiServer: Station | undefined;
  const simulation = await startSimulation({
    seed: `shards ${game.controllers}`,
    faultRate: { percent: 0 },
    podDelayMs: 0,
    shards: SHARDS,
    onWatch: (transport) => {
      const { clock } = simulation;
      const processor = new Station(clock, 1);
      processors.push(processor);
      apiServer ??= new Station(clock, game.places);
      return timedTransport(transport, { clock, processor, apiServer }, { times: game.times, traffic });
    },
  });
  const count = () => ({
    ...traffic,
    atMs: simulation.clock.now(),
    busyMs: processors.map(({ busyMs }) => busyMs),
  });
  const complete = countComplete(simulation);
  const played = await simulation.scheduler.drive(
    (async () => {
      await shareShards(simulation, game.controllers);
      createInstances(simulation, game.instances);
      await simulation.scheduler.until(() => complete() >= game.warmUp, COUNTED_WITHIN_MS);
      const [before, done] = [count(), complete()];
      await simulation.scheduler.until(() => complete() >= done + game.counted, COUNTED_WITHIN_MS);
      const [after, plans] = [count(), complete() - done];
      const tookMs = after.atMs - before.atMs;
      const busyMs = Math.max(...after.busyMs.map((ms, at) => ms - (before.busyMs[at] ?? 0)));
      return {
        plansPerS: (plans * 1_000) / tookMs,
        requestsPerPlan: (after.requests - before.requests) / plans,
        eventsPerPlan: (after.events - before.events) / plans / game.controllers,
        busyPercent: (busyMs * 100) / tookMs,
      };
    })(),
  );
  await simulation.stop();
  return played;
}

/** Starts the controllers, and waits until each holds its share. */
async function shareShards(simulation: Simulation, controllers: number): Promise<void> {
  const started: SimulatedProcess[] = [];
  // One after the other: each has a name of its own.
  while (started.length < controllers) started.push(await simulation.startController());
  const sharesOf = () => started.map(({ controller }) => shards.filter((shard) => controller.leadsShard(shard)).length);
  const areShared = () => sharesOf().every((size) => size === SHARDS / controllers);
  if (await simulation.scheduler.until(areShared, SHARED_WITHIN_MS)) return;
  throw new Error(`the shards are held as ${sharesOf().join(', ')}`);
}

function createInstances({ sandbox }: Simulation, count: number): void {
  const name = `bench-${benchOperator.version}`;
  for (let index = 0; index < NAMESPACES; index++) {
    const namespace = `team-${index}`;
    const named = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
    sandbox.api.create({ group: '', version: 'v1', resource: 'namespaces' }, named);
    const operator = { apiVersion: KUDO_API_VERSION, kind: 'Operator', metadata: { name: 'bench', namespace } };
    sandbox.api.create({ ...OPERATORS, namespace }, { ...operator, spec: {} });
    const spec = { ...benchOperator, operator: { name: 'bench' } };
    const version = { apiVersion: KUDO_API_VERSION, kind: 'OperatorVersion', metadata: { name, namespace } };
    sandbox.api.create({ ...OPERATOR_VERSIONS, namespace }, { ...version, spec });
  }
  for (let index = 0; index < count; index++) {
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
