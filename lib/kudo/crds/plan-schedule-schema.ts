import type { JsonObject } from '@/lib/json/json';
import { CONCURRENCY_POLICIES, MISSED_RUN_POLICIES, SLOT_OUTCOMES } from '@/lib/kudo/schedules/plan-schedule';
import { boolean, list, map, object, string } from './schema-words';

const NAME_CHARS = 253;
const CRON_CHARS = 100;
const ZONE_CHARS = 64;
const MOST_BLACKOUTS = 20;
const MOST_PARAMETERS = 100;
/** A year: a slot that is later is none. */
const MOST_DEADLINE_S = 31_536_000;
/** A week. */
const MOST_BLACKOUT_MINUTES = 10_080;

/** `PlanSchedule.spec`. */
export function planScheduleSpecSchema(): JsonObject {
  const blackout = {
    ...object('', {
      start: text(CRON_CHARS, 'When it begins: a cron expression.'),
      durationMinutes: { type: 'integer', minimum: 1, maximum: MOST_BLACKOUT_MINUTES },
      timeZone: text(ZONE_CHARS, 'The time zone of the schedule when absent.'),
    }),
    required: ['start', 'durationMinutes'],
  };
  return {
    ...object('', {
      instanceName: text(NAME_CHARS, 'The Instance, in the same namespace.'),
      plan: text(NAME_CHARS),
      schedule: text(CRON_CHARS, 'When it starts: five cron fields, or a nickname such as @daily.'),
      timeZone: text(ZONE_CHARS, 'The IANA time zone of the expression; UTC when absent.'),
      parameters: {
        ...map(string(), 'Values that are written with the start, and stay.'),
        maxProperties: MOST_PARAMETERS,
      },
      concurrencyPolicy: {
        ...string(
          'Forbid (when absent): no start while a plan runs. Wait: when the Instance is idle, until the next slot.',
        ),
        enum: [...CONCURRENCY_POLICIES],
      },
      missedRunPolicy: {
        ...string(
          'RunLast (when absent): the last missed slot is made up for within startingDeadlineSeconds. Skip: not at all.',
        ),
        enum: [...MISSED_RUN_POLICIES],
      },
      startingDeadlineSeconds: {
        type: 'integer',
        description: 'How late a missed slot may start; 3600 when absent.',
        minimum: 0,
        maximum: MOST_DEADLINE_S,
      },
      suspend: boolean('No slot counts while this is true.'),
      blackouts: { ...list(blackout, 'Windows in which nothing starts.'), maxItems: MOST_BLACKOUTS },
      confirm: {
        ...string('PLAN/INSTANCE: confirms each start of a destructive plan.'),
        maxLength: 2 * NAME_CHARS + 1,
      },
    }),
    required: ['instanceName', 'plan', 'schedule'],
    'x-kubernetes-validations': [
      {
        rule: "!has(self.confirm) || self.confirm == '' || self.confirm == self.plan + '/' + self.instanceName",
        message: 'confirm must be PLAN/INSTANCE of this schedule',
      },
    ],
  };
}

/** `PlanSchedule.status`. */
export function planScheduleStatusSchema(): JsonObject {
  const time = (description: string) => ({ type: 'string', format: 'date-time', description });
  const entry = object('', {
    slot: time(''),
    outcome: { ...string(), enum: [...SLOT_OUTCOMES] },
    uid: string('Of the execution that was started.'),
    message: string('Why there was no run.'),
  });
  return object('', {
    observedSchedule: string('Expression and time zone, as the controller saw them last.'),
    slotsFrom: time('Slots count from here on.'),
    lastSlot: time('The last slot that is done.'),
    lastUid: string('The execution that was started last.'),
    lastRun: string('Its PlanRun.'),
    waitingSlot: time('The slot that waits until the Instance is idle.'),
    next: list({ type: 'string', format: 'date-time' }, 'The next five slots.'),
    missed: { type: 'integer', format: 'int64', description: 'How many slots had no run, blackouts aside.' },
    problem: string('Why the last slot had no run, or why there are no slots.'),
    history: list(entry, 'The last slots, oldest first.'),
  });
}

/** The API server reckons the costs of rules with the longest text. */
function text(maxLength: number, description = ''): JsonObject {
  return { ...string(description), minLength: 1, maxLength };
}
