import { TerminalError } from '@/lib/errors/errors';
import { nameOf } from '@/lib/kube/object';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { scheduledPlan } from '@/lib/kudo/plan/scheduled';
import { queueAfter } from '@/lib/kudo/queue/queue-wish';
import { formatRunQueue, QUEUE_ANNOTATION, type QueueEntry, runQueueOf } from '@/lib/kudo/queue/run-queue';
import { isOver, PLAN_RUNS, type PlanRun } from '@/lib/kudo/runs/plan-run';
import { requestAnnotations } from '@/lib/kudo/runs/run-request';
import { undoEdit } from '@/lib/kudo/runs/undo';
import type { Instance } from '@/lib/kudo/types';
import { type Random, randomUuid } from '@/lib/random/random';
import { codeOf } from '@/server/kube/errors';
import type { RepeatAction } from './late-actions';
import type { PersonEdit } from './person-edit';
import { INSTANCE } from './script-objects';
import type { Simulation } from './simulation';

export interface RepeatOptions {
  readonly random: Random;
  /** Called before a user takes a run off the queue. */
  onTakenOff(instance: Instance, entry: QueueEntry): void;
}

/** What the action comes to as an edit of the Instance; undefined when there is no such run, and for changes of the queue, which are made here. */
export async function repeatEdit(
  simulation: Simulation,
  namespace: string,
  action: RepeatAction,
  options: RepeatOptions,
): Promise<PersonEdit | undefined> {
  if (action.do === 'retry' && action.waits === true)
    await simulation.scheduler.until(() => mayRepeat(simulation, namespace), RETRY_MS);
  const instance = instanceIn(simulation, namespace);
  if (instance === undefined) return undefined;
  const runs = runsOf(simulation, namespace);
  switch (action.do) {
    case 'retry': {
      const run = runToRepeat(runs, instance);
      return run === undefined ? undefined : retryOf(run, options.random);
    }
    case 'undo':
      return undoOf(runs, instance);
    case 'resume': {
      const [first] = runQueueOf(instance).entries;
      if (first === undefined || scheduledPlan(instance) !== undefined) return undefined;
      return { spec: { planExecution: { planName: first.plan, uid: randomUuid(options.random) } } };
    }
    case 'move':
    case 'take-off': {
      const { entries } = runQueueOf(instance);
      const entry = entries[action.pick % Math.max(1, entries.length)];
      if (entry !== undefined) await changeQueue(simulation, instance, entry, { action, options });
      return undefined;
    }
  }
}

/** How long users wait for the end of the run that failed. */
const RETRY_MS = 2 * 60_000;

/** No plan runs, and a run has failed that the Instance still tells of. */
function mayRepeat(simulation: Simulation, namespace: string): boolean {
  const instance = instanceIn(simulation, namespace);
  if (instance === undefined) return true;
  return (
    scheduledPlan(instance) === undefined && runsOf(simulation, namespace).some((run) => isFailureOf(instance, run))
  );
}

/**
 * The last run that failed. Of one that the Instance still tells of, the retry leaves out what was done, so these come first, and
 * most of all those that did something.
 */
function runToRepeat(runs: readonly PlanRun[], instance: Instance): PlanRun | undefined {
  const failed = runs.filter(isFailed);
  const known = failed.filter((run) => isFailureOf(instance, run));
  return known.findLast((run) => hasCompleteStep(instance, run)) ?? known.at(-1) ?? failed.at(-1);
}

function isFailed({ status }: PlanRun): boolean {
  return status?.status === 'FATAL_ERROR' || status?.status === 'Cancelled';
}

function isFailureOf(instance: Instance, run: PlanRun): boolean {
  return isFailed(run) && statusIn(instance, run)?.uid === run.spec?.uid;
}

function hasCompleteStep(instance: Instance, run: PlanRun): boolean {
  const phases = statusIn(instance, run)?.phases ?? [];
  return phases.some(({ steps }) => (steps ?? []).some(({ status }) => status === 'COMPLETE'));
}

function statusIn(instance: Instance, { spec }: PlanRun) {
  return instance.status?.planStatus?.[spec?.plan ?? ''];
}

/** A user takes a run off the queue that does not start by itself. */
export async function takeOff(
  simulation: Simulation,
  namespace: string,
  plan: string,
  options: RepeatOptions,
): Promise<void> {
  const instance = instanceIn(simulation, namespace);
  const entry = instance === undefined ? undefined : runQueueOf(instance).entries.find((each) => each.plan === plan);
  if (instance === undefined || entry === undefined) return;
  await changeQueue(simulation, instance, entry, { action: { do: 'take-off' }, options });
}

function instanceIn({ sandbox }: Simulation, namespace: string): Instance | undefined {
  return sandbox.api.get({ ...INSTANCES, namespace, name: INSTANCE }) as Instance | undefined;
}

/** The runs of the Instance that are over, oldest first. */
function runsOf({ sandbox }: Simulation, namespace: string): PlanRun[] {
  return (sandbox.api.list({ ...PLAN_RUNS, namespace }) as PlanRun[])
    .filter(({ spec, status }) => spec?.instanceName === INSTANCE && isOver(status?.status))
    .sort((a, b) => (a.status?.finishedAt ?? '').localeCompare(b.status?.finishedAt ?? ''));
}

function retryOf(run: PlanRun, random: Random): PersonEdit {
  const plan = run.spec?.plan ?? '';
  return {
    annotations: requestAnnotations(plan, { retryOf: nameOf(run) }),
    spec: { planExecution: { planName: plan, uid: randomUuid(random) } },
  };
}

/** The last run that can be undone. */
function undoOf(runs: readonly PlanRun[], instance: Instance): PersonEdit | undefined {
  for (const run of runs.toReversed()) {
    try {
      const { parameters, operatorVersion } = undoEdit(run, instance, runs);
      const version = operatorVersion === undefined ? {} : { operatorVersion: { name: operatorVersion } };
      return { spec: { parameters: { ...parameters }, ...version } };
    } catch (error) {
      if (!(error instanceof TerminalError)) throw error;
    }
  }
  return undefined;
}

/** As `bravo run queue` does: guarded by the resourceVersion of what was seen. */
async function changeQueue(
  { people }: Simulation,
  instance: Instance,
  entry: QueueEntry,
  { action, options }: { readonly action: { readonly do: 'move' | 'take-off' }; readonly options: RepeatOptions },
): Promise<void> {
  const { namespace = '', resourceVersion = '' } = instance.metadata;
  const { plan } = entry;
  const queue = queueAfter(instance, action.do === 'move' ? { do: 'move', plan, to: 1 } : { do: 'remove', plan });
  if (action.do === 'take-off') options.onTakenOff(instance, entry);
  const metadata = { resourceVersion, annotations: { [QUEUE_ANNOTATION]: formatRunQueue(queue) } };
  try {
    await people.patch({ ...INSTANCES, namespace, name: INSTANCE }, 'merge', { metadata });
  } catch (error) {
    if (codeOf(error) !== 409 && codeOf(error) !== 404) throw error;
  }
}
