import { INSTANCES, OPERATOR_VERSIONS, OPERATORS } from '@/lib/kudo/crds/crds';
import { type Instance, KUDO_API_VERSION } from '@/lib/kudo/types';
import type { SimulatedProcess } from '../../robustness/simulation/process';
import { type Simulation, startSimulation } from '../../robustness/simulation/simulation';
import { benchOperator } from '../reconcile/work';
import { Station, type Times, type Traffic, timedTransport } from './station';

const NAMESPACES = 20;
const SHARED_WITHIN_MS = 120_000;
const COUNTED_WITHIN_MS = 3_600_000;

export interface Game {
  readonly controllers: number;
  readonly shards: number;
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
  /** Of all controllers. */
  readonly requestsPerPlan: number;
  /** To each controller, the one with the most first. */
  readonly eventsPerPlan: readonly number[];
  /** Of the busiest processor of a controller, in percent. */
  readonly busyPercent: number;
}

/** Plays the real controllers on a virtual clock, on which processors, network and API server take the given times. */
export async function play(game: Game): Promise<Played> {
  const connections: { readonly processor: Station; readonly traffic: Traffic }[] = [];
  let apiServer: Station | undefined;
  const simulation = await startSimulation({
    seed: `shards ${game.controllers}`,
    faultRate: { percent: 0 },
    podDelayMs: 0,
    shards: game.shards,
    onWatch: (transport) => {
      const { clock } = simulation;
      const connection = { processor: new Station(clock, 1), traffic: { requests: 0, events: 0 } };
      connections.push(connection);
      apiServer ??= new Station(clock, game.places);
      return timedTransport(transport, { clock, apiServer, ...connection }, game.times);
    },
  });
  const count = () => ({
    atMs: simulation.clock.now(),
    busyMs: connections.map(({ processor }) => processor.busyMs),
    requests: connections.map(({ traffic }) => traffic.requests),
    events: connections.map(({ traffic }) => traffic.events),
  });
  const complete = countComplete(simulation);
  const played = await simulation.scheduler.drive(
    (async () => {
      await shareShards(simulation, game);
      createInstances(simulation, game.instances);
      await simulation.scheduler.until(() => complete() >= game.warmUp, COUNTED_WITHIN_MS);
      const [before, done] = [count(), complete()];
      await simulation.scheduler.until(() => complete() >= done + game.counted, COUNTED_WITHIN_MS);
      const [after, plans] = [count(), complete() - done];
      const tookMs = after.atMs - before.atMs;
      return {
        plansPerS: (plans * 1_000) / tookMs,
        requestsPerPlan: growth(after.requests, before.requests).reduce((sum, each) => sum + each, 0) / plans,
        eventsPerPlan: growth(after.events, before.events).map((events) => events / plans),
        busyPercent: ((growth(after.busyMs, before.busyMs)[0] ?? 0) * 100) / tookMs,
      };
    })(),
  );
  await simulation.stop();
  return played;
}

/** By how much each has grown, the most first. */
function growth(after: readonly number[], before: readonly number[]): number[] {
  return after.map((value, at) => value - (before[at] ?? 0)).sort((a, b) => b - a);
}

/** Starts the controllers, and waits until each holds its share. */
async function shareShards(simulation: Simulation, { controllers, shards }: Game): Promise<void> {
  const started: SimulatedProcess[] = [];
  // One after the other: each has a name of its own.
  while (started.length < controllers) started.push(await simulation.startController());
  const all = Array.from({ length: shards }, (_, shard) => shard);
  const sharesOf = () => started.map(({ controller }) => all.filter((shard) => controller.leadsShard(shard)).length);
  const areShared = () => {
    const shares = sharesOf();
    const held = shares.reduce((sum, share) => sum + share, 0);
    return held === shards && Math.max(...shares) - Math.min(...shares) <= 1;
  };
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
