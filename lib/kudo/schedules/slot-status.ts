import { formatTime } from '@/lib/clock/clock';
import { type DueSlot, nextTimes, observedSchedule } from './next-step';
import type { PlanSchedule, PlanScheduleStatus, SlotEntry, SlotOutcome } from './plan-schedule';

const MOST_ENTRIES = 20;
/** Slots are whole minutes. */
const SLOT_MS = 60_000;
const MOST_MESSAGE_CHARS = 1_000;

/** What became of a slot. */
export interface SlotResult {
  readonly outcome: SlotOutcome;
  /** Of the execution, for `Started`. */
  readonly uid?: string;
  /** Its PlanRun, when it exists already. */
  readonly run?: string;
  /** Why it did not start. */
  readonly message?: string;
}

/** Outcomes that count as missed. */
const WITHOUT_RUN: readonly SlotOutcome[] = ['Missed', 'Skipped', 'Refused'];

/** The status after a slot is done. */
export function withSlot(schedule: PlanSchedule, slot: DueSlot, result: SlotResult, nowMs: number): PlanScheduleStatus {
  const { waitingSlot: _, problem: _problem, ...before } = schedule.status ?? {};
  const { outcome, uid, run, message = '' } = result;
  const missed = (before.missed ?? 0) + slot.before + (WITHOUT_RUN.includes(outcome) ? 1 : 0);
  const text = message.slice(0, MOST_MESSAGE_CHARS);
  const { lastRun: _run, ...others } = before;
  const started =
    uid === undefined ? before : { ...others, lastUid: uid, ...(run === undefined ? {} : { lastRun: run }) };
  const entry = {
    slot: formatTime(slot.ms),
    outcome,
    ...(uid === undefined ? {} : { uid }),
    ...(text === '' ? {} : { message: text }),
  };
  return {
    ...started,
    lastSlot: entry.slot,
    ...(missed === 0 ? {} : { missed }),
    ...(text === '' || outcome === 'Blackout' ? {} : { problem: text }),
    next: nextTimes(schedule.spec, Math.max(nowMs, slot.ms)),
    history: [...withWaited(schedule, slot), entry].slice(-MOST_ENTRIES),
  };
}

/** The status of a schedule whose slots begin now: it is new, or its times were edited. */
export function withObserved(schedule: PlanSchedule, nowMs: number): PlanScheduleStatus {
  const { waitingSlot: _, problem: _problem, ...before } = schedule.status ?? {};
  // One that was wrong until now has missed nothing.
  const isNew = before.observedSchedule === undefined && schedule.status?.problem === undefined;
  const { creationTimestamp } = schedule.metadata;
  return {
    ...before,
    observedSchedule: observedSchedule(schedule.spec),
    slotsFrom: isNew && creationTimestamp ? creationTimestamp : formatTime(nowMs),
    next: nextTimes(schedule.spec, nowMs),
  };
}

/** The status of a schedule whose definition is wrong; the same object when it says so already. */
export function withProblem(schedule: PlanSchedule, problem: string): PlanScheduleStatus {
  const { status = {} } = schedule;
  if (status.problem === problem && (status.next ?? []).length === 0) return status;
  return { ...status, problem, next: [] };
}

/**
 * The status with the slot that waits for the Instance; the same object when it says so already. Slots before it are done: they are counted
 * here, and not again when it starts.
 */
export function withWaiting(schedule: PlanSchedule, slot: DueSlot, problem: string): PlanScheduleStatus {
  const { status = {} } = schedule;
  const waitingSlot = formatTime(slot.ms);
  if (status.waitingSlot === waitingSlot) return status;
  const counted =
    slot.before === 0
      ? {}
      : {
          missed: (status.missed ?? 0) + slot.before,
          slotsFrom: formatTime(slot.ms - SLOT_MS),
          history: withWaited(schedule, slot),
        };
  return { ...status, ...counted, waitingSlot, problem };
}

/** The history with the slot that waited until another one took its turn. */
function withWaited({ status = {} }: PlanSchedule, { hadWaited }: DueSlot): SlotEntry[] {
  const { waitingSlot, history = [] } = status;
  if (!hadWaited || waitingSlot === undefined) return history;
  const message = 'The Instance was busy until the next slot.';
  return [...history, { slot: waitingSlot, outcome: 'Skipped' as const, message }].slice(-MOST_ENTRIES);
}
