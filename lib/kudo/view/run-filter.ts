import type { RunRow } from './run-row';
import type { StatusKey } from './status-words';

/** Which runs a list shows, as it is in the address of the page. A plan, a person and an Instance are named exactly. */
export interface RunFilter {
  readonly query: string;
  readonly status: StatusKey | undefined;
  readonly plan: string;
  readonly who: string;
  readonly instance: string;
  /** How long ago a run may have begun; undefined for any time. */
  readonly within: TimeSpan | undefined;
}

const HOUR_MS = 3_600_000;
const SPAN_MS = { '1h': HOUR_MS, '24h': 24 * HOUR_MS, '7d': 7 * 24 * HOUR_MS, '30d': 30 * 24 * HOUR_MS } as const;
export type TimeSpan = keyof typeof SPAN_MS;

/** The choices, in words. */
export const TIME_SPANS: readonly (readonly [TimeSpan, string])[] = [
  ['1h', 'Last hour'],
  ['24h', 'Last 24 hours'],
  ['7d', 'Last 7 days'],
  ['30d', 'Last 30 days'],
];

/** Every run. */
export const NO_FILTER: RunFilter = {
  query: '',
  status: undefined,
  plan: '',
  who: '',
  instance: '',
  within: undefined,
};

const SHOWN: readonly StatusKey[] = ['IN_PROGRESS', 'paused', 'FATAL_ERROR', 'cancelled', 'COMPLETE'];

/** How many runs have each status, those that need a person first; none for a status that no run has. */
export function countStatuses(rows: readonly RunRow[]): [StatusKey, number][] {
  const counts = new Map<StatusKey, number>();
  for (const { status } of rows) counts.set(status, (counts.get(status) ?? 0) + 1);
  return SHOWN.flatMap((status) => {
    const count = counts.get(status);
    return count === undefined ? [] : [[status, count] as [StatusKey, number]];
  });
}

/** The values that a choice offers, sorted; the chosen one is among them, also when no run has it. */
export function valuesOf(rows: readonly RunRow[], field: 'plan' | 'who', chosen: string): string[] {
  const values = new Set(rows.map((row) => row[field]));
  return [...values.add(chosen)].filter((value) => value !== '').sort();
}

/**
 * Runs that fit. Every word of the query is somewhere in the run; `field:text` looks in one field: name, namespace (ns), instance, plan,
 * who, why, reason.
 */
export function filterRuns(rows: readonly RunRow[], filter: RunFilter, nowMs: number): RunRow[] {
  const words = filter.query.toLowerCase().split(/\s+/).filter(Boolean);
  const { status, within } = filter;
  const sinceMs = within === undefined ? Number.NEGATIVE_INFINITY : nowMs - SPAN_MS[within];
  return rows.filter(
    (row) =>
      (status === undefined || row.status === status) &&
      row.beganMs >= sinceMs &&
      EXACT.every((field) => filter[field] === '' || filter[field] === row[field]) &&
      words.every((word) => holds(row, word)),
  );
}

const EXACT = ['plan', 'who', 'instance'] as const;

function holds(row: RunRow, word: string): boolean {
  const { name, namespace, instance, plan, who, why, reason, message } = row;
  const fields: { readonly [field: string]: string } = {
    name,
    namespace,
    ns: namespace,
    instance,
    plan,
    who,
    why,
    reason,
  };
  const [field = '', ...rest] = word.split(':');
  const named = rest.length > 0 && Object.hasOwn(fields, field) ? fields[field] : undefined;
  if (named !== undefined) return named.toLowerCase().includes(rest.join(':'));
  return [...Object.values(fields), message].some((text) => text.toLowerCase().includes(word));
}

/** Reads the address; a status or a time that does not exist is ignored. */
export function parseRunFilter(params: URLSearchParams): RunFilter {
  const text = (name: string) => params.get(name) ?? '';
  return {
    query: text('q'),
    status: SHOWN.find((known) => known === params.get('status')),
    plan: text('plan'),
    who: text('who'),
    instance: text('instance'),
    within: TIME_SPANS.map(([span]) => span).find((span) => span === params.get('within')),
  };
}

/** `?q=…&status=…&plan=…&who=…&instance=…&within=…` without what is not set, or the empty string. */
export function formatRunFilter({ query, status, plan, who, instance, within }: RunFilter): string {
  const set = Object.entries({ q: query, status: status ?? '', plan, who, instance, within: within ?? '' }).filter(
    ([, value]) => value !== '',
  );
  const text = new URLSearchParams(set).toString();
  return text === '' ? '' : `?${text}`;
}
