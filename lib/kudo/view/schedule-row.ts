import { parseTime } from '@/lib/clock/clock';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { cronWords } from '@/lib/kudo/schedules/cron-words';
import { DEFAULT_TIME_ZONE, type PlanSchedule } from '@/lib/kudo/schedules/plan-schedule';
import { nextSlots, slotsOf } from '@/lib/kudo/schedules/slots';
import type { StatusKey } from './status-words';

/** How a schedule is: the last slot had no run, or the definition is wrong; a slot waits for its Instance; suspended; active. */
export type ScheduleState = 'problem' | 'waiting' | 'suspended' | 'active';

export const SCHEDULE_STATES: readonly ScheduleState[] = ['problem', 'waiting', 'active', 'suspended'];

/** Word and shape of each state. */
export const scheduleStateWords: {
  readonly [state in ScheduleState]: { readonly word: string; readonly status: StatusKey };
} = {
  problem: { word: 'Problem', status: 'FATAL_ERROR' },
  waiting: { word: 'Waiting', status: 'waiting' },
  active: { word: 'Active', status: 'COMPLETE' },
  suspended: { word: 'Suspended', status: 'paused' },
};

/** A schedule as lists and its page show it. */
export interface ScheduleRow {
  /** `namespace/name`. */
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly instance: string;
  readonly plan: string;
  readonly expression: string;
  /** The expression in words; undefined when it has no simple ones. */
  readonly words: string | undefined;
  readonly timeZone: string;
  readonly state: ScheduleState;
  /** One sentence; empty without one. */
  readonly problem: string;
  /** Wall milliseconds: the first slot outside of blackouts. Undefined when it is suspended, or there is none. */
  readonly nextMs: number | undefined;
  /** RFC 3339: the last slot that is done, whatever became of it. */
  readonly lastSlot: string | undefined;
  /** The PlanRun that was started last. */
  readonly lastRun: string | undefined;
  readonly missed: number;
  readonly schedule: PlanSchedule;
}

export function scheduleRow(schedule: PlanSchedule, nowMs: number): ScheduleRow {
  const { spec = {}, status = {} } = schedule;
  const [namespace, name] = [namespaceOf(schedule), nameOf(schedule)];
  const slots = slotsOf(spec);
  const isWrong = typeof slots === 'string';
  const isSuspended = spec.suspend === true;
  const problem = isWrong ? slots : (status.problem ?? '');
  return {
    key: `${namespace}/${name}`,
    namespace,
    name,
    instance: spec.instanceName ?? '',
    plan: spec.plan ?? '',
    expression: spec.schedule ?? '',
    words: isWrong ? undefined : cronWords(spec.schedule ?? ''),
    timeZone: spec.timeZone ?? DEFAULT_TIME_ZONE,
    state: stateOf(schedule, problem),
    problem,
    nextMs: isWrong || isSuspended ? undefined : nextSlots(slots, nowMs, 1)[0],
    lastSlot: status.lastSlot,
    lastRun: status.lastRun,
    missed: status.missed ?? 0,
    schedule,
  };
}

function stateOf({ spec, status }: PlanSchedule, problem: string): ScheduleState {
  if (spec?.suspend === true) return 'suspended';
  if (parseTime(status?.waitingSlot) !== undefined) return 'waiting';
  return problem === '' ? 'active' : 'problem';
}

/** Those with a problem first, then by their next slot; what never starts comes last. */
export function scheduleRows(schedules: readonly PlanSchedule[], nowMs: number): ScheduleRow[] {
  const rank = ({ state, nextMs }: ScheduleRow) => (state === 'problem' ? 0 : (nextMs ?? Number.MAX_SAFE_INTEGER));
  return schedules
    .map((schedule) => scheduleRow(schedule, nowMs))
    .sort((a, b) => rank(a) - rank(b) || a.key.localeCompare(b.key));
}

/** The address of a schedule's page. */
export function schedulePath({ namespace, name }: Pick<ScheduleRow, 'namespace' | 'name'>): string {
  return `/schedules/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}`;
}
