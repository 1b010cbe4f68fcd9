import { nameOf } from '@/lib/kube/object';
import { CLEANUP_PLAN } from '@/lib/kudo/names';
import { withDueNotices } from '@/lib/kudo/notices/run-notices';
import { endPlan } from '@/lib/kudo/plan/end-plan';
import type { Scheduled } from '@/lib/kudo/plan/scheduled';
import { isTerminal } from '@/lib/kudo/plan/status';
import type { StepTimes } from '@/lib/kudo/plan/step-times';
import { beginningOf, newPlanRun } from '@/lib/kudo/runs/new-run';
import { isOver, type PlanRun, type PlanRunStatus, type RunOutput, type SteeringEntry } from '@/lib/kudo/runs/plan-run';
import { runStatusOf, withEntry, withOutputs } from '@/lib/kudo/runs/run-status';
import { maySign, signedText, withCreator, withoutEnd } from '@/lib/kudo/runs/signed-run';
import { steeringAuthors } from '@/lib/kudo/runs/steering-author';
import { steeringEntries } from '@/lib/kudo/runs/steering-entries';
import type { Instance, PlanStatus } from '@/lib/kudo/types';
import { codeOf } from '@/server/kube/errors';
import type { StoredRunMemory } from '@/server/runs/run-memory';
import type { ShownRun } from '@/server/runs/shown-run';
import { createRun, written } from './create-run';
import { keyOf } from './instance-store';
import { moveRuns } from './move-runs';
import { subjectOf } from './noticed-objects';
import type { ReconcilerDeps } from './reconciler-deps';
import { type Found, memoryOf } from './run-memories';
import { writeRecord } from './write-record';

const STATUS_ATTEMPTS = 3;

/**
 * Creates the PlanRun of an execution unless one has its uid, and ends those of executions that this one replaced. A plan does not wait
 * for its record: when the API refuses it, a log line says why; when the API does not answer, both are tried again.
 *
 * @throws TransientError
 */
export async function beginRun(deps: ReconcilerDeps, instance: Instance, scheduled: Scheduled): Promise<void> {
  const { planRuns } = deps;
  if (!planRuns.isServed) return;
  if (planRuns.find(instance, scheduled.uid) === undefined) {
    await moveRuns(deps, instance);
    const make = (number: number) => withCreator(newPlanRun(instance, scheduled, number), deps.fingerprints);
    await written(deps, keyOf(instance), () => createRun(deps, instance, scheduled, make));
  }
  await endOthers(deps, instance, scheduled.uid);
}

/** What a reconcile knows of a run. */
export interface RunNews {
  readonly planStatus: PlanStatus;
  readonly times: StepTimes | undefined;
  readonly held?: string | undefined;
}

/** A run that goes on is shown at most so often. */
const SHOW_EVERY_MS = 2_000;
/** A run that ends within this time is written once. */
const SHOW_AFTER_MS = 1_000;

/**
 * Brings the status of a PlanRun up to date when it is due: the run was held or goes on, or it has lasted a while. Gives the ms after
 * which to look again; undefined when nothing is due.
 */
export async function showRun(
  deps: ReconcilerDeps,
  instance: Instance,
  scheduled: Scheduled,
  news: RunNews & { readonly shown: ShownRun },
): Promise<number | undefined> {
  const run = deps.planRuns.find(instance, scheduled.uid);
  if (run === undefined || isOver(run.status?.status)) return undefined;
  const { shown, held } = news;
  const nowMs = deps.clock.monotonic();
  const isSteered = (held !== undefined) !== (run.status?.heldSince !== undefined) || run.status?.message !== held;
  const isChanged = shown.sees(news.planStatus, held, nowMs);
  const entries = entriesOf(deps, instance, scheduled, { run, held });
  const waitMs = Math.max((shown.beganMs ?? nowMs) + SHOW_AFTER_MS, shown.writtenMs + SHOW_EVERY_MS) - nowMs;
  const isUrgent = entries.length > 0 || (held !== undefined && isSteered);
  if (!isUrgent && !isChanged) return undefined;
  if (!isUrgent && waitMs > 0) return waitMs;
  for (const entry of entries) deps.events.record(instance, 'Normal', ...eventOf(run, entry));
  await writeRun(deps, instance, scheduled, (status) =>
    entries.reduce(withEntry, runStatusOf({ before: status, ...news, nowMs: deps.clock.now() })),
  );
  shown.written(nowMs);
  return undefined;
}

/** What people did with a run that its record does not have. */
function entriesOf(
  deps: ReconcilerDeps,
  instance: Instance,
  scheduled: Scheduled,
  { run, held }: { readonly run: PlanRun; readonly held?: string | undefined },
): SteeringEntry[] {
  const known = { ...run, status: { ...beginningOf(instance, scheduled), ...run.status } };
  return steeringEntries(known, held, deps.clock.now(), steeringAuthors(run, deps.fingerprints));
}

/** The reason and the message of the event. */
function eventOf(run: PlanRun, { event = '', by, message = '' }: SteeringEntry): [reason: string, message: string] {
  return [`Run${event}`, `Run ${nameOf(run)}${by === undefined ? '' : ` by ${by}`}: ${message}`];
}

/** Adds outputs of Jobs before the step that they are from counts as done: a step that is done is not looked at again. */
export async function recordOutputs(
  deps: ReconcilerDeps,
  instance: Instance,
  scheduled: Scheduled,
  outputs: readonly RunOutput[],
): Promise<void> {
  if (outputs.length === 0) return;
  await writeRun(deps, instance, scheduled, (status) => withOutputs(status, outputs));
}

/** The end of a run in its record, and those of others that this one replaced. Safe to be repeated. */
export async function endRun(
  deps: ReconcilerDeps,
  instance: Instance,
  scheduled: Scheduled,
  memory: StoredRunMemory | undefined,
): Promise<void> {
  const planStatus = instance.status?.planStatus?.[scheduled.plan];
  if (planStatus?.uid !== scheduled.uid || !isTerminal(planStatus.status)) return;
  const open = deps.planRuns.find(instance, scheduled.uid);
  if (open === undefined || isOver(open.status?.status)) return;
  const own = memory?.uid === scheduled.uid ? memory : undefined;
  const record =
    own === undefined
      ? undefined
      : await written(deps, keyOf(instance), () => writeRecord(deps, { instance, scheduled, run: open }, own));
  // A run that ends by what a person did with it was not shown before.
  for (const entry of entriesOf(deps, instance, scheduled, { run: open })) {
    const [reason, message] = eventOf(open, entry);
    deps.events.recordOnce(instance, `${scheduled.uid} ${message}`, { type: 'Normal', reason, message });
  }
  await writeRun(deps, instance, scheduled, (status, run) => {
    const entries = entriesOf(deps, instance, scheduled, { run });
    const { explanation, preview } = record ?? {};
    const before = { ...status, ...record?.stored, ...(preview === undefined ? {} : { preview }) };
    const moment = { before, planStatus, times: own?.times, nowMs: deps.clock.now(), explanation };
    return entries.reduce(withEntry, runStatusOf(moment));
  });
}

/** The end of a cleanup that is over, before the Instance goes: the process that ran it may have died before it wrote that. */
export async function endCleanup(deps: ReconcilerDeps, instance: Instance, found: Found): Promise<void> {
  const { uid = '' } = instance.status?.planStatus?.[CLEANUP_PLAN] ?? {};
  const scheduled = { plan: CLEANUP_PLAN, uid };
  const run = deps.planRuns.find(instance, uid);
  if (run === undefined || isOver(run.status?.status)) return;
  await endRun(deps, instance, scheduled, await memoryOf(deps, instance, scheduled, found));
  deps.runs.delete(instance.metadata.uid ?? '');
}

/**
 * Makes records of runs that an earlier version kept on the Instance, and ends those of runs that are not under way any more: the Instance runs another execution, or none. How they ended
 * is read from its status, as long as no other execution of the same plan has begun.
 */
export async function endOthers(deps: ReconcilerDeps, instance: Instance, running: string | undefined): Promise<void> {
  const { uid: owner = '' } = instance.metadata;
  await moveRuns(deps, instance);
  for (const run of deps.planRuns.open(keyOf(instance))) {
    const { plan = '', uid = '', instanceUid } = run.spec ?? {};
    if (uid === running) continue;
    const stored = instance.status?.planStatus?.[plan];
    if (stored?.uid === uid && isTerminal(stored.status)) {
      await endRun(deps, instance, { plan, uid }, deps.runs.get(owner));
    } else {
      const message = instanceUid === owner ? 'Another execution took the place of this one.' : INSTANCE_GONE;
      await breakOff(deps, keyOf(instance), run, message);
    }
  }
}

const INSTANCE_GONE = 'The Instance was deleted.';

/** Ends the records of an Instance (`namespace/name`) that does not exist any more. */
export async function endRunsOfGone(deps: ReconcilerDeps, key: string): Promise<void> {
  for (const run of deps.planRuns.open(key)) await breakOff(deps, key, run, INSTANCE_GONE);
}

/** The end of a run of which nobody will hear more. */
async function breakOff(deps: ReconcilerDeps, key: string, run: PlanRun, message: string): Promise<void> {
  const planStatus: PlanStatus = endPlan(asPlanStatus(run.status), { message });
  await writeStatus(deps, key, run, (before) =>
    runStatusOf({ before, planStatus, times: undefined, nowMs: deps.clock.now() }),
  );
}

function asPlanStatus({ phases = [] }: PlanRunStatus = {}): PlanStatus {
  return { phases: phases.map((phase) => ({ ...phase, steps: [...(phase.steps ?? [])] })) };
}

async function writeRun(
  deps: ReconcilerDeps,
  instance: Instance,
  scheduled: Scheduled,
  change: (status: PlanRunStatus, run: PlanRun) => PlanRunStatus,
): Promise<void> {
  const run = deps.planRuns.find(instance, scheduled.uid);
  if (run === undefined) return;
  await writeStatus(deps, keyOf(instance), run, (status, known) =>
    change({ ...beginningOf(instance, scheduled), ...status }, known),
  );
}

/** Changes the status of a run that is not over, as it is stored then. */
async function writeStatus(
  deps: ReconcilerDeps,
  key: string,
  first: PlanRun,
  change: (status: PlanRunStatus, run: PlanRun) => PlanRunStatus,
): Promise<void> {
  const { planRuns } = deps;
  let run: PlanRun | undefined = first;
  for (let attempt = 1; run !== undefined && !isOver(run.status?.status); attempt++) {
    const known: PlanRun = run;
    const changed = signedEnd(deps, known, change(withoutEnd(known.status), known));
    const next = withDueNotices(known.status, changed, deps.notices.about(subjectOf(deps, known)), deps.clock.now());
    const result = await written(deps, key, async () => {
      try {
        return await planRuns.writeStatus(known, next);
      } catch (error) {
        if (codeOf(error) !== 409 || attempt >= STATUS_ATTEMPTS) throw error;
        return 'conflict' as const;
      }
    });
    if (result !== 'conflict') return;
    run = await planRuns.read(known.metadata.namespace ?? '', nameOf(known));
  }
}

/** The end of a run with the signature over it; any other status, and one that cannot be signed, as it is. */
function signedEnd({ signing, fingerprints }: ReconcilerDeps, run: PlanRun, status: PlanRunStatus): PlanRunStatus {
  if (!isOver(status.status) || !maySign(run, status, fingerprints)) return status;
  const signature = signing.sign(signedText({ ...run, status }));
  return signature === undefined ? status : { ...status, signature };
}
