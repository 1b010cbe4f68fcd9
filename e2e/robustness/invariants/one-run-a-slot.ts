import { parseTime } from '@/lib/clock/clock';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import { PLAN_SCHEDULES, type PlanSchedule, type SlotEntry } from '@/lib/kudo/schedules/plan-schedule';
import { slotUid } from '@/lib/kudo/schedules/slot-uid';
import { slotsOf } from '@/lib/kudo/schedules/slots';
import type { Instance } from '@/lib/kudo/types';
import type { Invariant, StoreChange } from './fact';

const RESOURCE = `${PLAN_SCHEDULES.group}/${PLAN_SCHEDULES.resource}`;
const MINUTE_MS = 60_000;
/** Clocks of controllers jump by an hour, several times. */
const SEARCHED_MINUTES = 1_440;
/** A controller may have read the schedule before it was suspended, and been suspended itself before it wrote. */
const GRACE_MS = 3 * MINUTE_MS;

/**
 * I16: what a schedule starts is the execution of one of its slots, outside of blackouts, and no longer after it was suspended; a slot is
 * done once, what became of it does not change, and one that was started is an execution that the Instance had.
 */
export const oneRunASlot: Invariant = (report) => {
  const schedules = new Schedules(report);
  return (fact) => {
    if (fact.fact === 'change') schedules.see(fact);
    if (fact.fact === 'copy') schedules.checkStarted();
  };
};

interface Known {
  schedule: PlanSchedule;
  /** Virtual ms; undefined while it is not suspended. */
  suspendedAtMs: number | undefined;
  /** Wall ms by the uid of the execution. */
  readonly slotByUid: ReadonlyMap<string, number>;
}

class Schedules {
  /** By `namespace/name`. */
  private readonly known = new Map<string, Known>();
  private readonly executions = new Set<string>();

  constructor(private readonly report: (violation: string) => void) {}

  see({ resource, type, object, atMs }: StoreChange): void {
    if (object.kind === 'Instance') this.executions.add((object as Instance).spec?.planExecution?.uid ?? '');
    if (type === 'ADDED' && object.kind === 'PlanRun') this.seeRun(object as PlanRun, atMs);
    if (resource === RESOURCE && type !== 'DELETED') this.seeSchedule(object as PlanSchedule, atMs);
  }

  private seeSchedule(schedule: PlanSchedule, atMs: number): void {
    const key = keyOfSchedule(schedule);
    const before = this.known.get(key);
    const isSuspended = schedule.spec?.suspend === true;
    this.known.set(key, {
      schedule,
      suspendedAtMs: isSuspended ? (before?.suspendedAtMs ?? atMs) : undefined,
      slotByUid: before?.slotByUid ?? slotsAround(schedule.metadata.uid ?? '', atMs),
    });
    const [was, now] = [before?.schedule.status, schedule.status];
    if ((parseTime(now?.lastSlot) ?? 0) < (parseTime(was?.lastSlot) ?? 0)) {
      this.report(`I16: schedule ${key} went back from slot ${was?.lastSlot} to ${now?.lastSlot}`);
    }
    this.compareHistory(key, was?.history ?? [], now?.history ?? []);
  }

  private compareHistory(key: string, was: readonly SlotEntry[], now: readonly SlotEntry[]): void {
    const before = new Map(was.map((entry) => [entry.slot, entry]));
    const seen = new Set<string>();
    for (const { slot = '', outcome } of now) {
      if (seen.has(slot)) this.report(`I16: slot ${slot} of schedule ${key} is done twice`);
      seen.add(slot);
      const known = before.get(slot);
      if (known !== undefined && known.outcome !== outcome) {
        this.report(`I16: slot ${slot} of schedule ${key} was ${known.outcome} and is ${outcome}`);
      }
    }
  }

  private seeRun({ metadata, spec }: PlanRun, atMs: number): void {
    if (spec?.cause !== 'Schedule') return;
    const key = `${metadata.namespace ?? ''}/${spec.reason?.replace(/^schedule /, '') ?? ''}`;
    const run = `run ${metadata.name ?? ''}`;
    const known = this.known.get(key);
    const slotMs = known?.slotByUid.get(spec.uid ?? '');
    if (known === undefined || slotMs === undefined) {
      this.report(`I16: ${run} is of no slot of schedule ${key}`);
      return;
    }
    const slots = slotsOf(known.schedule.spec);
    if (typeof slots !== 'string' && slots.isBlackout(slotMs)) {
      this.report(`I16: ${run} of schedule ${key} is of a slot in a blackout`);
    }
    if (known.suspendedAtMs !== undefined && atMs - known.suspendedAtMs > GRACE_MS) {
      this.report(`I16: ${run} began after schedule ${key} was suspended`);
    }
  }

  checkStarted(): void {
    for (const [key, { schedule }] of this.known) {
      for (const { slot, outcome, uid = '' } of schedule.status?.history ?? []) {
        if (outcome !== 'Started' || this.executions.has(uid)) continue;
        this.report(`I16: slot ${slot} of schedule ${key} is said to have started, and no Instance had its execution`);
      }
    }
  }
}

function slotsAround(scheduleUid: string, atMs: number): ReadonlyMap<string, number> {
  const middleMs = Math.floor(atMs / MINUTE_MS) * MINUTE_MS;
  const slotByUid = new Map<string, number>();
  for (let minute = -SEARCHED_MINUTES; minute <= SEARCHED_MINUTES; minute++) {
    const slotMs = middleMs + minute * MINUTE_MS;
    slotByUid.set(slotUid(scheduleUid, slotMs), slotMs);
  }
  return slotByUid;
}

function keyOfSchedule({ metadata }: PlanSchedule): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}
