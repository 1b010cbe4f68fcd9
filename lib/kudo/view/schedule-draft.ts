import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import { confirmationText } from '@/lib/kudo/plan-metadata/confirmation';
import {
  type Blackout,
  type ConcurrencyPolicy,
  DEFAULT_DEADLINE_S,
  DEFAULT_TIME_ZONE,
  type MissedRunPolicy,
  type PlanScheduleSpec,
} from '@/lib/kudo/schedules/plan-schedule';
import { slotsOf } from '@/lib/kudo/schedules/slots';

/** A schedule as the fields of its form have it. Numbers are texts while they are typed. */
export interface ScheduleDraft {
  readonly name: string;
  readonly instance: string;
  readonly plan: string;
  readonly expression: string;
  readonly timeZone: string;
  readonly concurrency: ConcurrencyPolicy;
  readonly missed: MissedRunPolicy;
  readonly deadlineMinutes: string;
  readonly blackouts: readonly BlackoutDraft[];
  /** Values that are written with each start; others stay as the Instance has them. */
  readonly parameters: { readonly [name: string]: string };
  readonly isConfirmed: boolean;
}

/** Takes the fields of a form that a person changed. */
export type ChangeSchedule = (changes: Partial<ScheduleDraft>) => void;

export interface BlackoutDraft {
  readonly start: string;
  readonly minutes: string;
  /** Empty for the schedule's. */
  readonly timeZone: string;
}

const MINUTE_S = 60;
const MOST_DEADLINE_MINUTES = 525_600;
const MOST_BLACKOUT_MINUTES = 10_080;
const MOST_NAME_CHARS = 253;
const NAME = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/;

/** The form of a new schedule, or of one that exists. */
export function scheduleDraft(name: string, spec: PlanScheduleSpec): ScheduleDraft {
  const { instanceName = '', plan = '', startingDeadlineSeconds = DEFAULT_DEADLINE_S, confirm } = spec;
  return {
    name,
    instance: instanceName,
    plan,
    expression: spec.schedule ?? '',
    timeZone: spec.timeZone ?? DEFAULT_TIME_ZONE,
    concurrency: spec.concurrencyPolicy ?? 'Forbid',
    missed: spec.missedRunPolicy ?? 'RunLast',
    deadlineMinutes: String(startingDeadlineSeconds / MINUTE_S),
    blackouts: (spec.blackouts ?? []).map(({ start = '', durationMinutes = 60, timeZone = '' }) => {
      return { start, minutes: String(durationMinutes), timeZone };
    }),
    parameters: spec.parameters ?? {},
    isConfirmed: confirm !== undefined && confirm === confirmationText(plan, instanceName),
  };
}

/** The spec that the form describes. Defaults are left out, so that the object is short. */
export function draftedSpec(draft: ScheduleDraft): PlanScheduleSpec {
  const { instance, plan, timeZone, concurrency, missed, deadlineMinutes, blackouts, parameters, isConfirmed } = draft;
  const deadlineS = isDeadline(deadlineMinutes) ? Math.round(Number(deadlineMinutes) * MINUTE_S) : DEFAULT_DEADLINE_S;
  return {
    instanceName: instance,
    plan,
    schedule: draft.expression.trim(),
    ...(timeZone === DEFAULT_TIME_ZONE ? {} : { timeZone }),
    ...(concurrency === 'Forbid' ? {} : { concurrencyPolicy: concurrency }),
    ...(missed === 'RunLast' ? {} : { missedRunPolicy: missed }),
    ...(deadlineS === DEFAULT_DEADLINE_S ? {} : { startingDeadlineSeconds: deadlineS }),
    ...(blackouts.length === 0 ? {} : { blackouts: blackouts.map(blackoutOf) }),
    ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
    ...(isConfirmed ? { confirm: confirmationText(plan, instance) } : {}),
  };
}

function blackoutOf({ start, minutes, timeZone }: BlackoutDraft): Blackout {
  return { start: start.trim(), durationMinutes: Number(minutes), ...(timeZone === '' ? {} : { timeZone }) };
}

/** The first thing that is wrong with each field, in a sentence. `times` is about expression, zone and blackouts together. */
export interface DraftProblems {
  readonly name?: string;
  readonly instance?: string;
  readonly plan?: string;
  readonly deadline?: string;
  readonly times?: string;
}

export function scheduleProblems(draft: ScheduleDraft): DraftProblems {
  const { name, instance, plan, missed, deadlineMinutes, blackouts } = draft;
  const times = slotsOf(draftedSpec(draft));
  const isLongBlackout = blackouts.some(({ minutes }) => !isWhole(minutes, 1, MOST_BLACKOUT_MINUTES));
  const isDeadlineWrong = missed === 'RunLast' && !isDeadline(deadlineMinutes);
  return {
    ...(NAME.test(name) && name.length <= MOST_NAME_CHARS
      ? {}
      : { name: 'Write a name of small letters, digits, dashes and dots, such as nightly-backup.' }),
    ...(instance === '' ? { instance: 'Choose an instance.' } : {}),
    ...(plan === '' ? { plan: 'Choose a plan.' } : {}),
    ...(isDeadlineWrong ? { deadline: 'Write a number of minutes, at most 525600 (a year).' } : {}),
    ...(typeof times === 'string'
      ? { times }
      : isLongBlackout
        ? { times: 'A blackout lasts 1 to 10080 minutes (a week).' }
        : {}),
  };
}

function isWhole(text: string, least: number, most: number): boolean {
  return /^[0-9]{1,6}$/.test(text) && Number(text) >= least && Number(text) <= most;
}

function isDeadline(text: string): boolean {
  return /^[0-9]{1,6}(\.[0-9]{1,3})?$/.test(text) && Number(text) <= MOST_DEADLINE_MINUTES;
}

/**
 * The JSON merge patch of an edit: only fields that the person changed, so that edits of others meanwhile stay, and those that the form
 * does not have.
 */
export function draftPatch(before: ScheduleDraft, after: ScheduleDraft): JsonObject {
  return differenceOf({ ...draftedSpec(before) } as JsonObject, { ...draftedSpec(after) } as JsonObject);
}

function differenceOf(before: JsonObject, after: JsonObject): JsonObject {
  const patch: { [name: string]: JsonValue } = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, now] = [before[name], after[name]];
    if (now === undefined) patch[name] = null;
    else if (isJsonObject(old) && isJsonObject(now)) {
      const inner = differenceOf(old, now);
      if (Object.keys(inner).length > 0) patch[name] = inner;
    } else if (JSON.stringify(old) !== JSON.stringify(now)) patch[name] = now;
  }
  return patch;
}

/** A name for a schedule of that plan and Instance that none of the known ones has. */
export function freeName(instance: string, plan: string, taken: ReadonlySet<string>): string {
  const base = `${instance}-${plan}`
    .toLowerCase()
    .replace(/[^a-z0-9.-]/g, '-')
    .slice(0, MOST_NAME_CHARS - 4);
  let name = base;
  for (let number = 2; taken.has(name); number++) name = `${base}-${number}`;
  return name;
}
