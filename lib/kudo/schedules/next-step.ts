import { formatTime, parseTime } from '@/lib/clock/clock';
import { DEFAULT_DEADLINE_S, DEFAULT_TIME_ZONE, type PlanSchedule, type PlanScheduleSpec } from './plan-schedule';
import { dueSlots, nextSlots, type Slots, slotsOf } from './slots';

/** A slot that is seen later than this was missed. A hand-over of the lease takes less. */
export const ON_TIME_MS = 60_000;
export const NEXT_SHOWN = 5;

/**
 * What to do with a schedule at one moment (docs/decisions/072). Moments are wall milliseconds; `wakeMs` is when to look again at the
 * latest, undefined when only an edit changes anything.
 */
export type ScheduleStep =
  /** The definition is wrong. */
  | { readonly do: 'report'; readonly problem: string }
  /** Expression, zone or `suspend` are new: slots count from now on. */
  | { readonly do: 'observe' }
  | { readonly do: 'rest'; readonly wakeMs: number | undefined }
  /** The slot is done without a run. */
  | { readonly do: 'pass'; readonly slot: DueSlot; readonly outcome: 'Missed' | 'Blackout'; readonly message: string }
  /** The slot is to start as soon as the blackout is over. */
  | { readonly do: 'hold'; readonly wakeMs: number }
  | { readonly do: 'start'; readonly slot: DueSlot };

export interface DueSlot {
  readonly ms: number;
  /** Slots before it that had no run. */
  readonly before: number;
  /** True when the one that waited for the Instance is among them. */
  readonly hadWaited: boolean;
  /** When the next one takes its place. */
  readonly nextMs: number | undefined;
}

/** Decides by spec and status alone. */
export function nextStep({ spec, status, metadata }: PlanSchedule, nowMs: number): ScheduleStep {
  const slots = slotsOf(spec);
  if (typeof slots === 'string') return { do: 'report', problem: slots };
  const isObserved = status?.observedSchedule === observedSchedule(spec);
  // The first slots of a new schedule count from its creation.
  if (!isObserved) return { do: 'observe' };
  if (spec?.suspend === true) return { do: 'rest', wakeMs: undefined };
  const fromMs = Math.max(
    parseTime(status?.lastSlot) ?? 0,
    parseTime(status?.slotsFrom) ?? parseTime(metadata.creationTimestamp) ?? nowMs,
  );
  const due = dueSlots(slots, fromMs, nowMs);
  if (due === undefined) return { do: 'rest', wakeMs: slots.after(Math.max(fromMs, nowMs)) };
  const waitingMs = parseTime(status?.waitingSlot);
  const slot: DueSlot = {
    ms: due.lastMs,
    before: due.before,
    hadWaited: waitingMs !== undefined && waitingMs > fromMs && waitingMs < due.lastMs,
    nextMs: slots.after(Math.max(due.lastMs, nowMs)),
  };
  return stepOfSlot(slot, { slots, spec, nowMs, isWaiting: waitingMs === due.lastMs });
}

interface SlotMoment {
  readonly slots: Slots;
  readonly spec: PlanScheduleSpec | undefined;
  readonly nowMs: number;
  /** True for a slot that was seen in time, and waits for its Instance. */
  readonly isWaiting: boolean;
}

function stepOfSlot(slot: DueSlot, { slots, spec, nowMs, isWaiting }: SlotMoment): ScheduleStep {
  if (slots.isBlackout(slot.ms)) {
    return { do: 'pass', slot, outcome: 'Blackout', message: 'The slot is in a blackout.' };
  }
  const limitMs = isWaiting ? Number.POSITIVE_INFINITY : latestStartMs(spec, slot.ms);
  if (nowMs > limitMs) {
    return { do: 'pass', slot, outcome: 'Missed', message: missedMessage(spec, slot.ms, nowMs) };
  }
  const endMs = slots.blackoutEnd(nowMs);
  if (endMs === undefined) return { do: 'start', slot };
  return { do: 'hold', wakeMs: Math.min(endMs, limitMs + 1, slot.nextMs ?? Number.POSITIVE_INFINITY) };
}

/** Until when a slot may start that nobody has noted as waiting. */
export function latestStartMs(spec: PlanScheduleSpec | undefined, slotMs: number): number {
  const { missedRunPolicy = 'RunLast', startingDeadlineSeconds = DEFAULT_DEADLINE_S } = spec ?? {};
  return slotMs + (missedRunPolicy === 'Skip' ? ON_TIME_MS : Math.max(ON_TIME_MS, startingDeadlineSeconds * 1_000));
}

/** Expression, zone and suspension in one text: when it changes, the slots begin anew. */
export function observedSchedule(spec: PlanScheduleSpec | undefined): string {
  const { schedule = '', timeZone = DEFAULT_TIME_ZONE, suspend = false } = spec ?? {};
  return `${schedule} ${timeZone}${suspend ? ' suspended' : ''}`;
}

/** The next slots as RFC 3339; empty for a schedule that is suspended or wrong. */
export function nextTimes(spec: PlanScheduleSpec | undefined, nowMs: number, count = NEXT_SHOWN): string[] {
  const slots = slotsOf(spec);
  if (typeof slots === 'string' || spec?.suspend === true) return [];
  return nextSlots(slots, nowMs, count).map(formatTime);
}

function missedMessage(spec: PlanScheduleSpec | undefined, slotMs: number, nowMs: number): string {
  const late = `The controller saw the slot of ${formatTime(slotMs)} at ${formatTime(nowMs)}`;
  return spec?.missedRunPolicy === 'Skip'
    ? `${late}, and missedRunPolicy is Skip.`
    : `${late}, later than startingDeadlineSeconds allows.`;
}
