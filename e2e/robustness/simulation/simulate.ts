import { jsonEqual } from '@/lib/json/json';
import { seededRandom } from '@/lib/random/random';
import type { EndState } from './end-state';
import { runScenario } from './run-scenario';
import { makeScenario } from './scenario';

export interface SeedResult {
  readonly seed: string;
  readonly violations: readonly string[];
  /** Requests of controllers that reached the server. */
  readonly calls: number;
  /** Executions of plans that started, those of a new reference included. */
  readonly plans: number;
  /** A digest of every request and every change of an object: the same for the same seed. */
  readonly digest: string;
  /** The lines behind the digest; empty unless asked for. */
  readonly trace: readonly string[];
}

export interface SeedOptions {
  readonly faultPercent?: number;
  readonly keepsTrace?: boolean;
  /** 1 when absent: one controller acts. */
  readonly shards?: number;
}

/** How many seeds in a row share a scenario, each with faults of its own; they share one reference. */
const SEEDS_A_SCENARIO = 4;

interface Reference {
  readonly name: string;
  readonly end: EndState;
  readonly violations: readonly string[];
}

let reference: Reference | undefined;

/** Plays the scenario of a seed with faults, checks every invariant, and compares the result with that of a run without faults. */
export async function simulate(
  seed: string,
  { faultPercent = 20, keepsTrace = false, shards = 1 }: SeedOptions = {},
): Promise<SeedResult> {
  const name = scenarioOf(seed);
  const scenario = makeScenario(seededRandom(`scenario ${name}`));
  let plans = 0;
  if (scenario.isPatient && reference?.name !== name) {
    const run = await runScenario(scenario, {
      seed: name,
      faultPercent: 0,
      disturbsControllers: false,
      hasConsole: false,
      keepsTrace: false,
    });
    plans += run.observation.executions.size;
    reference = { name, end: run.end, violations: run.violations.map((each) => `without faults: ${each}`) };
  }
  const result = await runScenario(scenario, {
    seed,
    faultPercent,
    disturbsControllers: faultPercent > 0,
    hasConsole: hasConsole(seed),
    hasWebhook: asksWebhooks(seed),
    keepsTrace,
    shards,
  });
  plans += result.observation.executions.size;
  const violations = [...result.violations];
  if (scenario.isPatient && reference !== undefined) {
    violations.push(...reference.violations);
    if (violations.length === 0) violations.push(...endStateDifferences(reference.end, result.end));
  }
  const { calls, trace } = result.observation;
  return { seed, violations, calls, plans, digest: result.observation.digest(), trace };
}

/** A seed that is a number shares its scenario with its neighbours; any other seed has its own scenario. */
export function scenarioOf(seed: string): string {
  return /^[1-9][0-9]*$/.test(seed) ? String(Math.floor((Number(seed) - 1) / SEEDS_A_SCENARIO)) : seed;
}

/** A console runs for one seed in four: it costs as much as a controller. */
function hasConsole(seed: string): boolean {
  return !/[0-9]$/.test(seed) || Number(seed) % SEEDS_A_SCENARIO === 0;
}

/** Two seeds in four have the webhook, and the reference never has it: both ways must lead to the same result. */
function asksWebhooks(seed: string): boolean {
  return !/[0-9]$/.test(seed) || Number(seed) % SEEDS_A_SCENARIO >= 2;
}

/** I2: the same result as without faults. */
export function endStateDifferences(expected: EndState, actual: EndState): string[] {
  const keys = [...new Set([...Object.keys(expected), ...Object.keys(actual)])].sort();
  return keys
    .filter((key) => !jsonEqual(expected[key], actual[key]))
    .map(
      (key) =>
        `I2: ${key} is ${JSON.stringify(actual[key])} at the end, and ${JSON.stringify(expected[key])} without faults`,
    );
}
