import { parseTime } from '@/lib/clock/clock';
import { nameOf, namespacedName, namespaceOf } from '@/lib/kube/object';
import { type DueSlot, nextStep, type ScheduleStep } from '@/lib/kudo/schedules/next-step';
import type { PlanSchedule } from '@/lib/kudo/schedules/plan-schedule';
import { type SlotResult, withObserved, withProblem, withSlot, withWaiting } from '@/lib/kudo/schedules/slot-status';
import type { ReconcilerDeps } from './reconciler-deps';
import { LOOK_AGAIN_MS, startSlot } from './start-slot';
import type { Wake } from './timed-reconciler';

const NEVER: Wake = { atMs: undefined };
/** How soon the PlanRun of a start is looked for, and until when. */
const RUN_AFTER_MS = 5_000;
const RUN_WITHIN_MS = 600_000;

/** Looks at one schedule and does the next thing. Safe to be called at any time, any number of times, after any crash. */
export async function reconcileSchedule(deps: ReconcilerDeps, key: string): Promise<Wake> {
  const known = deps.planSchedules.get(key);
  if (known === undefined) return NEVER;
  const step = nextStep(known, deps.clock.now());
  if (step.do === 'rest') return rest(deps, known, step);
  // What is written, and what is started, is decided upon what is stored.
  const schedule = await deps.planSchedules.refresh(key);
  if (schedule === undefined || (schedule.metadata.deletionTimestamp ?? '') !== '') return NEVER;
  return carryOut(deps, schedule, nextStep(schedule, deps.clock.now()));
}

async function carryOut(deps: ReconcilerDeps, schedule: PlanSchedule, step: ScheduleStep): Promise<Wake> {
  switch (step.do) {
    case 'rest':
      return rest(deps, schedule, step);
    case 'hold':
      return { atMs: step.wakeMs };
    case 'report':
      return report(deps, schedule, step.problem);
    case 'observe':
      await deps.planSchedules.writeStatus(schedule, withObserved(schedule, deps.clock.now()));
      return { atMs: deps.clock.now() };
    case 'pass':
      return finish(deps, schedule, step.slot, { outcome: step.outcome, message: step.message });
    case 'start':
      return start(deps, schedule, step.slot);
  }
}

async function start(deps: ReconcilerDeps, schedule: PlanSchedule, slot: DueSlot): Promise<Wake> {
  const outcome = await startSlot(deps, schedule, slot);
  switch (outcome.is) {
    case 'done':
      return finish(deps, schedule, slot, outcome.result);
    case 'unsettled':
      return { atMs: deps.clock.now() + LOOK_AGAIN_MS };
    case 'waiting': {
      const status = withWaiting(schedule, slot, outcome.message);
      if (status !== schedule.status) await deps.planSchedules.writeStatus(schedule, status);
      return { atMs: slot.nextMs, instances: [`${namespaceOf(schedule)}/${schedule.spec?.instanceName ?? ''}`] };
    }
  }
}

/** The slot is done: the status says so, and after it an event. */
async function finish(deps: ReconcilerDeps, schedule: PlanSchedule, slot: DueSlot, result: SlotResult): Promise<Wake> {
  const { clock, events, log } = deps;
  const status = withSlot(schedule, slot, result, clock.now());
  const written = await deps.planSchedules.writeStatus(schedule, status);
  const { lastSlot = '' } = status;
  const { outcome, message = '' } = result;
  if (slot.before > 0) {
    const earlier = slot.before === 1 ? '1 slot' : `${slot.before} slots`;
    events.recordOnce(schedule, `${lastSlot} before`, {
      type: 'Warning',
      reason: 'SlotMissed',
      message: `${earlier} before ${lastSlot} had no run.`,
    });
  }
  if (outcome !== 'Blackout') {
    const { plan = '', instanceName = '' } = schedule.spec ?? {};
    const isStarted = outcome === 'Started';
    events.recordOnce(schedule, `${lastSlot} ${outcome}`, {
      type: isStarted ? 'Normal' : 'Warning',
      reason: `Slot${outcome}`,
      message: isStarted
        ? `Plan ${plan} of Instance ${instanceName} was started for ${lastSlot}.`
        : `${lastSlot}: ${message}`,
    });
  }
  log.info('schedule.slot', { schedule: namespacedName(schedule), slot: lastSlot, outcome });
  return rest(deps, written, { wakeMs: clock.now() });
}

async function report(deps: ReconcilerDeps, schedule: PlanSchedule, problem: string): Promise<Wake> {
  const status = withProblem(schedule, problem);
  if (status === schedule.status) return NEVER;
  await deps.planSchedules.writeStatus(schedule, status);
  const { generation = 0 } = schedule.metadata;
  deps.events.recordOnce(schedule, `invalid ${generation}`, {
    type: 'Warning',
    reason: 'InvalidSchedule',
    message: problem,
  });
  return NEVER;
}

/** The PlanRun of the last start is made by its plan, a moment later. */
async function rest(
  deps: ReconcilerDeps,
  schedule: PlanSchedule,
  { wakeMs }: { readonly wakeMs: number | undefined },
): Promise<Wake> {
  const { lastUid, lastRun, lastSlot } = schedule.status ?? {};
  const nowMs = deps.clock.now();
  const isFresh = nowMs - (parseTime(lastSlot) ?? 0) < RUN_WITHIN_MS;
  if (lastUid === undefined || lastRun !== undefined || !deps.planRuns.isServed) return { atMs: wakeMs };
  const key = `${namespaceOf(schedule)}/${schedule.spec?.instanceName ?? ''}`;
  const run = deps.planRuns.findByKey(key, lastUid);
  if (run !== undefined) {
    await deps.planSchedules.writeStatus(schedule, { ...schedule.status, lastRun: nameOf(run) });
    return { atMs: wakeMs };
  }
  return { atMs: isFresh ? Math.min(wakeMs ?? Number.POSITIVE_INFINITY, nowMs + RUN_AFTER_MS) : wakeMs };
}
