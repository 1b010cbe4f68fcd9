import { isOver, PLAN_RUNS, type PlanRun } from '@/lib/kudo/runs/plan-run';
import { randomInteger, seededRandom } from '@/lib/random/random';
import type { Transport } from '@/server/kube/transport';
import { RUN_SECRET_TYPE } from '@/server/runs/run-secret';
import { openConsole, type SimulatedConsole } from './console';
import { disturbControllers } from './controller-faults';
import { copiesOf, isCurrent } from './copies';
import { type EndState, endState } from './end-state';
import type { FaultRate } from './fault-rate';
import { Observation } from './observation';
import { playScript } from './play-script';
import { hasFailingPods, repairPods } from './repair-pods';
import type { Scenario } from './scenario';
import { type Simulation, startSimulation } from './simulation';
import { recordWatches } from './watch-recorder';

export interface ScenarioOptions {
  readonly seed: string;
  readonly faultPercent: number;
  /** Controllers are killed, suspended and replaced. */
  readonly disturbsControllers: boolean;
  readonly keepsTrace: boolean;
  /** 1 when absent: one controller acts. */
  readonly shards?: number;
  /** A console and a browser read along. */
  readonly hasConsole: boolean;
  /** The API server calls the controllers' admission webhook for users' edits, as far as it reaches them. */
  readonly hasWebhook?: boolean;
  /** Alters an answer of the webhook on purpose, for the tests of the invariants. */
  readonly tamperReview?: (answer: string) => string;
  /** Alters requests and answers of a controller on purpose, for the tests of the invariants. */
  readonly tamper?: (transport: Transport) => Transport;
}

export interface RunResult {
  readonly end: EndState;
  readonly observation: Observation;
  readonly violations: readonly string[];
}

/** Workloads still change for a while after the last plan: pods end, counts follow. */
const QUIET_MS = 10_000;
/** After the last fault: a watch that is silently stalled is opened again after 70 s, a list that hangs fails after 60 s. */
const CONVERGED_WITHIN_MS = 150_000;

/** Plays a scenario in a new simulation. */
export async function runScenario(scenario: Scenario, options: ScenarioOptions): Promise<RunResult> {
  const { seed, faultPercent } = options;
  const observation = new Observation(options.keepsTrace, options.shards);
  const faultRate = { percent: faultPercent };
  let watches = 0;
  const simulation = await startSimulation({
    seed,
    faultRate,
    podDelayMs: 1_000,
    shards: options.shards ?? 1,
    hasWebhook: options.hasWebhook === true,
    tamperReview: options.tamperReview,
    onReview: (words) => observation.onReview(words),
    onCall: (call) => observation.onCall(call),
    onWatch: (transport) =>
      recordWatches(
        options.tamper?.(transport) ?? transport,
        (delivery) => observation.take(delivery),
        () => ++watches,
      ),
  });
  observation.attach(simulation);
  const violations: string[] = [];
  const screen = options.hasConsole ? openConsole(simulation, seed, faultRate) : undefined;
  await simulation.scheduler.drive(play(simulation, scenario, options, { observation, violations, faultRate, screen }));
  screen?.close();
  const end = endState(simulation.sandbox.api, scenario);
  await simulation.stop();
  return { end, observation, violations: [...violations, ...observation.violations] };
}

interface Notes {
  readonly observation: Observation;
  readonly violations: string[];
  readonly faultRate: FaultRate;
  readonly screen: SimulatedConsole | undefined;
}

async function play(
  simulation: Simulation,
  scenario: Scenario,
  { seed, disturbsControllers, shards = 1 }: ScenarioOptions,
  notes: Notes,
): Promise<void> {
  let isOver = false;
  repairPods(simulation);
  const disturbances = disturbsControllers
    ? disturbControllers(simulation, seededRandom(`${seed} chaos`), { isOver: () => isOver, isSharded: shards > 1 })
    : simulation.startController().then(() => {});
  await Promise.all(
    scenario.scripts.map((script, index) =>
      playScript(simulation, script, {
        isPatient: scenario.isPatient,
        // Not from the seed of the run: several runs share one reference.
        random: seededRandom(
          `people ${script.namespace} ${randomInteger(seededRandom(JSON.stringify(script)), 1_000_000)} ${index}`,
        ),
        onViolation: (violation) => notes.violations.push(violation),
        onRest: (instance) => notes.observation.take({ fact: 'rest', instance }),
        removed: notes.observation.removed,
        onKept: (kept) => notes.observation.take(kept),
        onTakenOff: ({ metadata }, { plan, uid }) =>
          notes.observation.take({ fact: 'taken-off', instanceUid: metadata.uid ?? '', plan, uid }),
      }),
    ),
  );
  isOver = true;
  simulation.scheduler.touch();
  await disturbances;
  notes.faultRate.percent = 0;
  if (notes.violations.length === 0) await waitUntilQuiet(simulation, notes);
}

/** The sweep of a new leader still deletes Secrets of runs of a dead one. */
function hasRunSecrets({ sandbox }: Simulation): boolean {
  return sandbox.api
    .list({ group: '', version: 'v1', resource: 'secrets' })
    .some(({ type }) => type === RUN_SECRET_TYPE);
}

/** A controller that was cut off hears late that an Instance is gone, and ends the records of its runs then. */
function hasOpenRuns({ sandbox }: Simulation): boolean {
  return (sandbox.api.list(PLAN_RUNS) as PlanRun[]).some(({ status }) => !isOver(status?.status));
}

/** Waits until nothing changes any more and every copy of the state equals what the API lists. */
async function waitUntilQuiet(simulation: Simulation, { observation, screen }: Notes): Promise<void> {
  let movedAtMs = simulation.clock.now();
  const stop = simulation.sandbox.api.watchAll(({ object }) => {
    if (object.kind !== 'Lease' && object.kind !== 'Event') movedAtMs = simulation.clock.now();
  });
  const copies = () => [...copiesOf(simulation), ...(screen?.copies() ?? [])];
  const isQuiet = () =>
    simulation.clock.now() - movedAtMs >= QUIET_MS &&
    observation.isIdle(simulation) &&
    !hasRunSecrets(simulation) &&
    !hasOpenRuns(simulation) &&
    !hasFailingPods(simulation) &&
    copies().every(isCurrent);
  for (let waitedMs = 0; waitedMs < CONVERGED_WITHIN_MS && !isQuiet(); waitedMs += 1_000)
    await simulation.scheduler.pass(1_000);
  stop();
  for (const copy of copies()) observation.take(copy);
}
