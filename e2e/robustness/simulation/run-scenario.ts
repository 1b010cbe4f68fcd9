import { randomInteger, seededRandom } from '@/lib/random/random';
import type { Transport } from '@/server/kube/transport';
import { RUN_SECRET_TYPE } from '@/server/runs/run-secret';
import { wreakHavoc } from './chaos';
import { openConsole, type SimulatedConsole } from './console';
import { copiesOf, isTrue } from './copies';
import { type EndState, endState } from './end-state';
import { hasAilingPods, healPods } from './heal-pods';
import { Observation } from './observation';
import { playScript } from './play-script';
import type { Scenario } from './scenario';
import { recordWatches } from './watch-recorder';
import type { Weather } from './weather';
import { makeWorld, type SimulatedWorld } from './world';

export interface RunOptions {
  readonly seed: string;
  readonly faultPercent: number;
  /** Controllers die, are stopped and replaced. */
  readonly hasChaos: boolean;
  readonly keepsTrace: boolean;
  /** A console and a browser look on. */
  readonly hasConsole: boolean;
  /** The API asks the controllers' admission webhook about people's edits, as far as it reaches them. */
  readonly hasWebhook?: boolean;
  /** Breaks the webhook on purpose, likewise: what it makes of an answer. */
  readonly tamperReview?: (answer: string) => string;
  /** Breaks the server on purpose, for the tests of the invariants: what it makes of a controller's calls. */
  readonly tamper?: (transport: Transport) => Transport;
}

export interface RunResult {
  readonly end: EndState;
  readonly observation: Observation;
  readonly violations: readonly string[];
}

/** Workloads that still move after the last plan: pods that end, counts that follow. */
const QUIET_MS = 10_000;
/** The network is well again: a watch that was silently stalled is opened anew after 70 s (A11, A12), a list that hangs after 60 s. */
const CONVERGED_WITHIN_MS = 150_000;

/** Plays a scenario in a world of its own. */
export async function runScenario(scenario: Scenario, options: RunOptions): Promise<RunResult> {
  const { seed, faultPercent } = options;
  const observation = new Observation(options.keepsTrace);
  const weather = { faultPercent };
  let watches = 0;
  const world = await makeWorld({
    seed,
    weather,
    podDelayMs: 1_000,
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
  observation.attach(world);
  const violations: string[] = [];
  const screen = options.hasConsole ? openConsole(world, seed, weather) : undefined;
  await world.scheduler.drive(play(world, scenario, options, { observation, violations, weather, screen }));
  screen?.close();
  const end = endState(world.sandbox.api, scenario);
  await world.stop();
  return { end, observation, violations: [...violations, ...observation.violations] };
}

interface Notes {
  readonly observation: Observation;
  readonly violations: string[];
  readonly weather: Weather;
  readonly screen: SimulatedConsole | undefined;
}

async function play(
  world: SimulatedWorld,
  scenario: Scenario,
  { seed, hasChaos }: RunOptions,
  notes: Notes,
): Promise<void> {
  let isOver = false;
  healPods(world);
  const havoc = hasChaos
    ? wreakHavoc(world, seededRandom(`${seed} chaos`), () => isOver)
    : world.startController().then(() => {});
  await Promise.all(
    scenario.scripts.map((script, index) =>
      playScript(world, script, {
        isPatient: scenario.isPatient,
        // Not of the run's seed: a reference serves several runs.
        random: seededRandom(
          `people ${script.namespace} ${randomInteger(seededRandom(JSON.stringify(script)), 1_000_000)} ${index}`,
        ),
        onViolation: (violation) => notes.violations.push(violation),
        onRest: (instance) => notes.observation.take({ fact: 'rest', instance }),
        onRemovedByHand: (object) => notes.observation.onRemovedByHand(object),
        onKept: (kept) => notes.observation.take(kept),
      }),
    ),
  );
  isOver = true;
  world.scheduler.touch();
  await havoc;
  notes.weather.faultPercent = 0;
  if (notes.violations.length === 0) await comeToQuiet(world, notes);
}

/** A new leader still sweeps up after one that died. */
function hasRunSecrets({ sandbox }: SimulatedWorld): boolean {
  return sandbox.api
    .list({ group: '', version: 'v1', resource: 'secrets' })
    .some(({ type }) => type === RUN_SECRET_TYPE);
}

/** Waits until nothing moves any more and every copy of the state is true. */
async function comeToQuiet(world: SimulatedWorld, { observation, screen }: Notes): Promise<void> {
  let movedAtMs = world.clock.now();
  const stop = world.sandbox.api.watchAll(({ object }) => {
    if (object.kind !== 'Lease' && object.kind !== 'Event') movedAtMs = world.clock.now();
  });
  const copies = () => [...copiesOf(world), ...(screen?.copies() ?? [])];
  const isQuiet = () =>
    world.clock.now() - movedAtMs >= QUIET_MS &&
    observation.isIdle(world) &&
    !hasRunSecrets(world) &&
    !hasAilingPods(world) &&
    copies().every(isTrue);
  for (let waitedMs = 0; waitedMs < CONVERGED_WITHIN_MS && !isQuiet(); waitedMs += 1_000)
    await world.scheduler.pass(1_000);
  stop();
  for (const copy of copies()) observation.take(copy);
}
