import { SCHEDULE_STATES, type ScheduleRow, type ScheduleState } from './schedule-row';

/** Which schedules a list shows, as it is in the address of the page. A plan and an Instance are named exactly. */
export interface ScheduleFilter {
  readonly query: string;
  readonly state: ScheduleState | undefined;
  readonly plan: string;
  readonly instance: string;
}

/** Every schedule. */
export const NO_SCHEDULE_FILTER: ScheduleFilter = { query: '', state: undefined, plan: '', instance: '' };

/** Schedules that fit. Every word of the query is somewhere in the schedule. */
export function filterSchedules(rows: readonly ScheduleRow[], filter: ScheduleFilter): ScheduleRow[] {
  const words = filter.query.toLowerCase().split(/\s+/).filter(Boolean);
  const { state, plan, instance } = filter;
  return rows.filter(
    (row) =>
      (state === undefined || row.state === state) &&
      (plan === '' || row.plan === plan) &&
      (instance === '' || row.instance === instance) &&
      words.every((word) => textOf(row).includes(word)),
  );
}

function textOf(row: ScheduleRow): string {
  const { key, instance, plan, expression, words = '', timeZone, problem } = row;
  return [key, instance, plan, expression, words, timeZone, problem].join(' ').toLowerCase();
}

/** How many schedules have each state; none for a state that no schedule has. */
export function countStates(rows: readonly ScheduleRow[]): [ScheduleState, number][] {
  return SCHEDULE_STATES.flatMap((state) => {
    const count = rows.filter((row) => row.state === state).length;
    return count === 0 ? [] : [[state, count] as [ScheduleState, number]];
  });
}

/** Reads the address; a state that does not exist is ignored. */
export function parseScheduleFilter(params: URLSearchParams): ScheduleFilter {
  const text = (name: string) => params.get(name) ?? '';
  return {
    query: text('q'),
    state: SCHEDULE_STATES.find((known) => known === params.get('state')),
    plan: text('plan'),
    instance: text('instance'),
  };
}

/** The address's parameters with the filter, and without what is not set. Others stay. */
export function withScheduleFilter(params: URLSearchParams, filter: ScheduleFilter): URLSearchParams {
  const { query, state = '', plan, instance } = filter;
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries({ q: query, state, plan, instance })) {
    if (value === '') next.delete(name);
    else next.set(name, value);
  }
  return next;
}
