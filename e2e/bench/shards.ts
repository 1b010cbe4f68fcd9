import { type Figure, figure } from './figure';
import { type PlanCosts, planCosts } from './shards/costs';
import { type Played, play } from './shards/play';
import type { Times } from './shards/station';

/** `BRAVO_BENCH_INSTANCES` plays fewer, for a first look. */
const INSTANCES_IN_ALL = Number(process.env.BRAVO_BENCH_INSTANCES ?? 10_000);
/** A kube-apiserver with etcd on disks that answer a write within some ms. */
const API = { networkMs: 1, serviceMs: 8 } as const;
/** So many requests at once never wait for each other: 64,000 a second. */
const ANY_NUMBER = 512;
/** 16 at once, 8 ms each: 2,000 a second. */
const FEW = 16;
const NOTHING: Times = { requestCpuMs: 0, eventCpuMs: 0, networkMs: 1, serviceMs: 8 };
/** One runs plans, the other watches, as in what is measured. */
const SAMPLE = { controllers: 2, shards: 1, instances: 300, warmUp: 50, counted: 200, places: ANY_NUMBER } as const;

/**
 * First the processor time of a plan is measured, of a controller that runs it and of one that only watches it, with real processes. Then the real controllers
 * are played on a virtual clock where each has one processor for exactly these times, each request takes 9 ms, and 10,000 Instances wait for their first plan:
 * plans a second with one, two and four controllers, at an API server that takes any number of requests, and at one that takes 2,000 a second.
 */
export async function run(): Promise<Figure[]> {
  const costs = await planCosts();
  const times = timesOf(costs, await play({ ...SAMPLE, times: NOTHING }));
  const playWith = (controllers: number, places: number) =>
    play({
      ...{ controllers, places, times, shards: 16, instances: INSTANCES_IN_ALL },
      warmUp: Math.floor(INSTANCES_IN_ALL / 10),
      counted: Math.floor(INSTANCES_IN_ALL / 4),
    });
  const one = await playWith(1, ANY_NUMBER);
  const two = await playWith(2, ANY_NUMBER);
  const four = await playWith(4, ANY_NUMBER);
  const limited = await playWith(4, FEW);
  return [
    { name: 'cpu-per-plan, controller that runs it', value: costs.leaderMs, unit: 'ms' },
    { name: 'cpu-per-plan, controller that watches it', value: costs.followerMs, unit: 'ms' },
    ...figuresOf('1 controller', one),
    ...figuresOf('2 controllers', two),
    ...figuresOf('4 controllers', four),
    figure('2 controllers to 1', two.plansPerS / one.plansPerS, '', { atLeast: 1.6 }),
    figure('4 controllers to 1', four.plansPerS / one.plansPerS, '', { atLeast: 3 }),
    ...figuresOf('4 controllers, API server of 2,000 requests/s', limited),
  ];
}

/** Spreads the measured times over requests and events, of which a plan has as many as in a short run without them. */
function timesOf({ leaderMs, followerMs }: PlanCosts, { requestsPerPlan, eventsPerPlan }: Played): Times {
  const [most = 0, least = 0] = eventsPerPlan;
  const eventCpuMs = followerMs / least;
  return { ...API, requestCpuMs: (leaderMs - most * eventCpuMs) / requestsPerPlan, eventCpuMs };
}

function figuresOf(name: string, { plansPerS, requestsPerPlan, eventsPerPlan, busyPercent }: Played): Figure[] {
  return [
    { name: `plans-per-s, ${name}`, value: plansPerS, unit: '/s' },
    { name: `requests-per-s, ${name}`, value: plansPerS * requestsPerPlan, unit: '/s' },
    { name: `events-per-plan, ${name}`, value: eventsPerPlan[0] ?? 0, unit: '' },
    { name: `processor of the busiest controller, ${name}`, value: busyPercent, unit: '%' },
  ];
}
