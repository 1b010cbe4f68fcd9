import { jsonEqual } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { INSTANCES, OPERATOR_VERSIONS, OPERATORS } from '@/lib/kudo/crds';
import { actedUpon, hasUnseenChange } from '@/lib/kudo/plan/acted-upon';
import { isTerminal } from '@/lib/kudo/plan/status';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { type Random, randomInteger, randomUuid, seededRandom } from '@/lib/random/random';
import { endState } from './end-state';
import { History } from './history';
import { type Action, makeScenario, type Scenario } from './scenario';
import { drive, makeWorld, type SimulatedWorld } from './world';

export interface SimulationResult {
  readonly seed: string;
  readonly violations: readonly string[];
  /** Calls of controllers that reached the server, in the run with faults. */
  readonly calls: number;
  readonly plans: number;
  /** Every call and every change of an object, a line each: the same for the same seed. */
  readonly trace: readonly string[];
}

const NAMESPACE = 'default';
const KEY = { ...INSTANCES, namespace: NAMESPACE, name: 'sim' };
/** Virtual: a plan that has not come to rest by then never will. */
const PATIENCE_MS = 60 * 60_000;

/** Runs the scenario of a seed without faults and with them, and compares. */
export async function simulate(seed: string, faultPercent = 20): Promise<SimulationResult> {
  const scenario = makeScenario(seededRandom(`${seed} scenario`));
  const reference = await runScenario(scenario, { seed, faultPercent: 0, crashes: false });
  const result = await runScenario(scenario, { seed, faultPercent, crashes: true });
  const violations = [...reference.violations.map((each) => `without faults: ${each}`), ...result.violations];
  for (const key of new Set([...Object.keys(reference.end), ...Object.keys(result.end)])) {
    if (!jsonEqual(reference.end[key], result.end[key])) {
      violations.push(
        `I2: ${key} ends as ${JSON.stringify(result.end[key])}, without faults as ${JSON.stringify(reference.end[key])}`,
      );
    }
  }
  return { seed, violations, calls: result.calls, plans: scenario.actions.length + 1, trace: result.trace };
}

interface RunOptions {
  readonly seed: string;
  readonly faultPercent: number;
  readonly crashes: boolean;
}

async function runScenario(scenario: Scenario, { seed, faultPercent, crashes }: RunOptions) {
  let calls = 0;
  const trace: string[] = [];
  const world = await makeWorld({
    seed,
    faultPercent,
    podDelayMs: 1_000,
    onCall: ({ request: { method, path }, status }) => {
      calls++;
      trace.push(`call ${method} ${path} ${status}`);
    },
  });
  const history = new History(scenario.operatorVersion as unknown as OperatorVersion);
  const stopWatch = world.sandbox.api.watchAll((event) => {
    history.take(event);
    trace.push(
      `${world.clock.now()} ${event.type} ${event.object.kind}/${event.object.metadata.name} ${event.object.metadata.resourceVersion}`,
    );
  });
  const run = new ScenarioRun(world, seededRandom(`${seed} actions`), crashes);
  await run.play(scenario);
  // Pods that end and counts that follow: the end is looked at when nothing moves any more.
  let movedAtMs = world.clock.now();
  const stopMoves = world.sandbox.api.watchAll(({ object }) => {
    if (object.kind !== 'Lease') movedAtMs = world.clock.now();
  });
  await world.runUntil(() => world.clock.now() - movedAtMs > 80_000, 3 * 60_000);
  stopMoves();
  const end = endState(world.sandbox.api);
  stopWatch();
  await world.stop();
  return { end, calls, trace, violations: [...run.violations, ...history.violations] };
}

class ScenarioRun {
  readonly violations: string[] = [];
  private controller: { crash(): void } | undefined;

  constructor(
    private readonly world: SimulatedWorld,
    private readonly random: Random,
    private readonly crashes: boolean,
  ) {}

  async play(scenario: Scenario): Promise<void> {
    const { people } = this.world;
    this.controller = await this.world.startController();
    await this.people(
      people.create({ ...OPERATORS, namespace: NAMESPACE }, scenario.operator as unknown as KubeObject),
    );
    await this.people(
      people.create({ ...OPERATOR_VERSIONS, namespace: NAMESPACE }, scenario.operatorVersion as unknown as KubeObject),
    );
    await this.people(people.create({ ...INSTANCES, namespace: NAMESPACE }, instanceOf(scenario)));
    await this.rest('the deploy plan');
    for (const action of scenario.actions) {
      if (this.violations.length > 0) return;
      await this.act(action);
      await this.rest(JSON.stringify(action));
    }
  }

  private async act(action: Action): Promise<void> {
    const { people } = this.world;
    if (action.do === 'set') {
      await this.people(people.patch(KEY, 'merge', { spec: { parameters: { [action.name]: action.value } } }));
    } else if (action.do === 'delete') {
      await this.people(people.delete(KEY));
    } else {
      const plan = action.do === 'trigger' ? action.plan : 'deploy';
      await this.people(
        people.patch(KEY, 'merge', { spec: { planExecution: { planName: plan, uid: randomUuid(this.random) } } }),
      );
    }
    // Drawn in both runs, so that both go on with the same numbers.
    const afterMs = randomInteger(this.random, 4_000);
    if (action.do === 'restart' && this.crashes) await this.restart(afterMs);
  }

  private async restart(afterMs: number): Promise<void> {
    await this.world.runUntil(() => false, afterMs);
    this.controller?.crash();
    this.controller = await this.world.startController();
  }

  private async rest(what: string): Promise<void> {
    const isResting = await this.world.runUntil(() => isAtRest(this.instance()), PATIENCE_MS);
    if (!isResting) this.violations.push(`I1: after ${what} nothing came to rest: ${describe(this.instance())}`);
  }

  private instance(): Instance | undefined {
    return this.world.sandbox.api.get(KEY) as Instance | undefined;
  }

  private people<T>(promise: Promise<T>): Promise<T> {
    return drive(this.world.clock, promise);
  }
}

function instanceOf({ parameters }: Scenario): KubeObject {
  return {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: { name: 'sim', namespace: NAMESPACE, labels: { 'kudo.dev/operator': 'sim' } },
    spec: { operatorVersion: { name: 'sim-1.0.0' }, parameters: { ...parameters } },
  };
}

/** Nothing is scheduled, everything that was asked for was acted upon (I6), and no plan is under way. */
function isAtRest(instance: Instance | undefined): boolean {
  if (instance === undefined) return true;
  if (instance.metadata.deletionTimestamp !== undefined) return false;
  if ((instance.spec?.planExecution?.planName ?? '') !== '') return false;
  if (actedUpon(instance) === undefined || hasUnseenChange(instance)) return false;
  const statuses = Object.values(instance.status?.planStatus ?? {});
  return statuses.length > 0 && statuses.every(({ status }) => status === 'NEVER_RUN' || isTerminal(status));
}

function describe(instance: Instance | undefined): string {
  return JSON.stringify({
    spec: instance?.spec,
    status: instance?.status,
    finalizers: instance?.metadata.finalizers,
  }).slice(0, 1_500);
}
