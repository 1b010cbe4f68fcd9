import { messageOf } from '@/lib/errors/errors';
import type { ReportedCase, ReportedFailure, ReportedStep } from '@/lib/harness/report';
import { type CaseStep, stepTitle } from '@/lib/harness/step';
import { defaultStepSeconds } from '@/lib/harness/suite';
import type { Target } from '@/server/kube/api';
import { createNamespace, deleteNamespace, randomNamespace } from './case-namespace';
import { createHarnessLog, type Harness, type HarnessCluster, type HarnessLog } from './harness';
import { logEvents } from './log-events';
import { readCase } from './read-case';
import type { RunningProgram } from './run-command';
import { runStep } from './run-step';
import { kubeconfigOf } from './step-commands';

/** A folder of steps. */
export interface TestCase {
  readonly name: string;
  readonly folder: string;
}

/** A case that runs: what it made and has to remove. */
interface RunningCase {
  readonly harness: Harness;
  readonly test: TestCase;
  readonly namespace: string;
  readonly log: HarnessLog;
  readonly created: { readonly cluster: HarnessCluster; readonly target: Target }[];
  readonly running: RunningProgram[];
  /** Clusters in which the namespace was prepared, and whether it was created there. */
  readonly clusters: Map<HarnessCluster, boolean>;
}

/** Runs the steps of a case in its namespace, up to the first failure, and removes what it made. */
export async function runCase(harness: Harness, test: TestCase): Promise<ReportedCase> {
  const { pace, suite, random } = harness;
  const startedMs = pace.clock.now();
  const namespace = suite.namespace === '' ? randomNamespace(random) : suite.namespace;
  const log = createHarnessLog(harness, test.name);
  const one: RunningCase = { harness, test, namespace, log, created: [], running: [], clusters: new Map() };
  const leave = pace.enter();
  const reported: ReportedStep[] = [];
  try {
    const setup = await timed(harness, 'setup', () => prepare(one));
    reported.push(setup.reported);
    logFailure(log, setup.reported);
    if (setup.value !== undefined) await runSteps(one, setup.value, reported);
  } finally {
    const problem = await cleanUp(one);
    const last = reported.at(-1);
    if (problem !== undefined && last !== undefined && last.failure === undefined) {
      reported[reported.length - 1] = { ...last, failure: problem };
    }
    leave();
  }
  return { name: test.name, startedMs, endedMs: pace.clock.now(), steps: reported };
}

async function prepare(one: RunningCase): Promise<readonly CaseStep[]> {
  const { harness, namespace, log, test } = one;
  const steps = await readCase({ harness, folder: test.folder, namespace, log });
  const eager = steps.filter(({ step }) => step.kubeconfigLoading === 'Eager');
  await prepareCluster(one, harness.cluster);
  for (const step of eager) await prepareCluster(one, clusterOf(one, step));
  return steps;
}

async function runSteps(one: RunningCase, steps: readonly CaseStep[], reported: ReportedStep[]): Promise<void> {
  const { harness, namespace } = one;
  for (const step of steps) {
    const title = stepTitle(step);
    const log = one.log.within(title);
    log.line(`starting test step ${title}`);
    const { reported: result } = await timed(harness, title, async () => {
      const cluster = clusterOf(one, step);
      await prepareCluster(one, cluster);
      const { folder } = one.test;
      const { created, running } = one;
      const errors = await runStep(step, { harness, cluster, namespace, folder, log, created, running });
      if (errors.length > 0) throw new StepFailure(title, errors);
    });
    reported.push({ ...result, assertions: step.asserts.length + step.errors.length });
    logFailure(log, result);
    if (result.failure !== undefined) break;
    log.line(`test step completed ${title}`);
  }
  if (steps.length === 0) return;
  if (harness.suite.suppress.includes('events')) one.log.line('skipping kubernetes event logging');
  else await logEvents(harness.cluster, namespace, one.log);
}

function logFailure(log: HarnessLog, { failure }: ReportedStep): void {
  if (failure === undefined) return;
  log.line(failure.message);
  for (const error of failure.errors) log.line(error);
}

class StepFailure extends Error {
  constructor(
    title: string,
    readonly errors: readonly string[],
  ) {
    super(`failed in step ${title}`);
  }
}

/** The time that something took, and how it failed. */
async function timed<T>(
  { pace, signal }: Harness,
  name: string,
  act: () => Promise<T>,
): Promise<{ readonly value: T | undefined; readonly reported: ReportedStep }> {
  const startedMs = pace.clock.now();
  const result = (failure: ReportedFailure | undefined): ReportedStep => ({
    name,
    assertions: 0,
    startedMs,
    durationMs: pace.clock.now() - startedMs,
    failure,
  });
  try {
    const value = await act();
    return { value, reported: result(undefined) };
  } catch (error) {
    signal.throwIfAborted();
    const errors = error instanceof StepFailure ? error.errors : [messageOf(error)];
    const message = error instanceof StepFailure ? error.message : `failed in ${name}`;
    return { value: undefined, reported: result({ message, errors }) };
  }
}

/** The cluster of a step: its own one when the TestStep names a kubeconfig or a context. */
function clusterOf({ harness, test }: RunningCase, { step }: CaseStep): HarnessCluster {
  const { kubeconfig, context } = step;
  if (kubeconfig === '' && context === '') return harness.cluster;
  const path = kubeconfig === '' ? '' : kubeconfigOf(kubeconfig, test.folder, harness.environment);
  return harness.openCluster(path, context);
}

async function prepareCluster(one: RunningCase, cluster: HarnessCluster): Promise<void> {
  if (one.clusters.has(cluster)) return;
  const { pace, signal } = one.harness;
  const isCreated = await createNamespace(one.namespace, { cluster, pace, log: one.log, signal });
  // A namespace with a name of the harness's own is deleted even if it existed.
  one.clusters.set(cluster, isCreated || one.harness.suite.namespace === '');
}

/** Ends programs, then deletes what steps created, the last first, and the namespace. */
async function cleanUp(one: RunningCase): Promise<ReportedFailure | undefined> {
  const { harness, log } = one;
  for (const program of one.running) program.kill();
  await Promise.all(one.running.map(({ ended }) => ended));
  if (harness.suite.skipDelete) return undefined;
  const timeoutMs = defaultStepSeconds(harness.suite) * 1_000;
  // An interrupt ends what waits, not the removal of what was made.
  const { signal } = new AbortController();
  const errors: string[] = [];
  const attempt = async (act: () => Promise<unknown>) => {
    try {
      await act();
    } catch (error) {
      errors.push(messageOf(error));
    }
  };
  for (const { cluster, target } of [...one.created].reverse()) {
    await attempt(() => cluster.api.delete(target, { propagation: 'Background', signal }));
  }
  for (const [cluster, isOurs] of one.clusters) {
    if (!isOurs) continue;
    await attempt(() => deleteNamespace(one.namespace, { cluster, pace: harness.pace, log, signal }, timeoutMs));
  }
  for (const error of errors) log.line(error);
  return errors.length === 0 ? undefined : { message: 'failed in clean-up', errors };
}
