import { formatMilliTime, parseTime } from '@/lib/clock/clock';
import { AUDIT_RESULTS, type AuditEntry, type AuditResult } from './audit-entry';

/** What the page *Activity* lists: an entry of the audit log, or what the cluster records of a run or an approval. */
export interface ActivityEntry extends AuditEntry {
  /** `cluster`: done somewhere, through another replica or with kubectl; then address and status are not known (empty, 0). */
  readonly source: 'console' | 'cluster';
  /** The run that it is about or began, when that still exists. */
  readonly run?: { readonly instance: string; readonly name: string };
}

/** The answer of `GET /api/activity`. */
export interface Activity {
  /** The newest first, at most as many as were asked for. */
  readonly entries: readonly ActivityEntry[];
  /** How many fit the filter. */
  readonly total: number;
  /** How many there are without the filter. */
  readonly all: number;
  /** What can be chosen, sorted. */
  readonly choices: { readonly [field in ChoiceField]: readonly string[] };
  /** Where the audit log of this replica goes. */
  readonly mode: 'file' | 'stdout' | 'off';
  /** Whose entries are missing, as sentences. */
  readonly notes: readonly string[];
  /** Names this state: who sends it as `seen` is told when nothing is new. */
  readonly version: string;
}

export type ChoiceField = 'person' | 'namespace' | 'verb' | 'resource';

/** Which entries a list shows, as it is in the address of the page. Empty texts narrow nothing. */
export interface ActivityFilter {
  readonly text: string;
  readonly person: string;
  readonly namespace: string;
  readonly verb: string;
  readonly resource: string;
  readonly result: AuditResult | undefined;
  readonly within: ActivitySpan | undefined;
}

const HOUR_MS = 3_600_000;
const SPAN_MS = { '1h': HOUR_MS, '24h': 24 * HOUR_MS, '7d': 7 * 24 * HOUR_MS, '30d': 30 * 24 * HOUR_MS } as const;
export type ActivitySpan = keyof typeof SPAN_MS;
export const ACTIVITY_SPANS: readonly (readonly [ActivitySpan, string])[] = [
  ['1h', 'Last hour'],
  ['24h', 'Last 24 hours'],
  ['7d', 'Last 7 days'],
  ['30d', 'Last 30 days'],
];

/** Every entry. */
export const ALL_ACTIVITY: ActivityFilter = {
  text: '',
  person: '',
  namespace: '',
  verb: '',
  resource: '',
  result: undefined,
  within: undefined,
};

/** Reads an address or a query; a result or a time that does not exist is ignored. */
export function parseActivityFilter(params: URLSearchParams): ActivityFilter {
  const text = (name: string) => (params.get(name) ?? '').slice(0, 300);
  return {
    text: text('q'),
    person: text('person'),
    namespace: text('namespace'),
    verb: text('verb'),
    resource: text('resource'),
    result: AUDIT_RESULTS.find((known) => known === params.get('result')),
    within: ACTIVITY_SPANS.map(([span]) => span).find((span) => span === params.get('within')),
  };
}

/** The parameters of an address without what is not set. */
export function formatActivityFilter({ text, result, within, ...exact }: ActivityFilter): URLSearchParams {
  const given = Object.entries({ q: text, ...exact, result: result ?? '', within: within ?? '' });
  return new URLSearchParams(given.filter(([, value]) => value !== ''));
}

/** A test of entries; every word of the text is somewhere in the entry. */
export function activityMatcher(filter: ActivityFilter, nowMs: number): (entry: ActivityEntry) => boolean {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  // RFC 3339 with the same number of digits is in the order of time.
  const since = filter.within === undefined ? '' : formatMilliTime(nowMs - SPAN_MS[filter.within]);
  return (entry) =>
    CHOICES.every((field) => filter[field] === '' || filter[field] === choiceOf(entry, field)) &&
    (filter.result === undefined || filter.result === entry.result) &&
    entry.time >= since &&
    (words.length === 0 || holdsAll(entry, words));
}

const CHOICES: readonly ChoiceField[] = ['person', 'namespace', 'verb', 'resource'];

function choiceOf({ person, object, verb }: ActivityEntry, field: ChoiceField): string {
  if (field === 'person') return person.name;
  return field === 'verb' ? verb : object[field];
}

function holdsAll(entry: ActivityEntry, words: readonly string[]): boolean {
  const { person, object, verb, summary, address, reason, id, run } = entry;
  const parts = [person.name, verb, summary, object.resource, object.namespace, object.name, address, reason, id];
  const text = [...parts, run?.name ?? ''].join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}

/** The values that a filter can choose from, sorted. */
export function choicesOf(entries: readonly ActivityEntry[]): Activity['choices'] {
  const sets = {
    person: new Set<string>(),
    namespace: new Set<string>(),
    verb: new Set<string>(),
    resource: new Set<string>(),
  };
  for (const entry of entries) for (const field of CHOICES) sets[field].add(choiceOf(entry, field));
  const sorted = (set: Set<string>) => [...set].filter((value) => value !== '').sort();
  const { person, namespace, verb, resource } = sets;
  return { person: sorted(person), namespace: sorted(namespace), verb: sorted(verb), resource: sorted(resource) };
}

/** The newest first; equal times keep their order. */
export function newestActivityFirst(one: ActivityEntry, other: ActivityEntry): number {
  return one.time === other.time ? 0 : one.time < other.time ? 1 : -1;
}

/** Milliseconds of an entry's time; 0 when it has none. */
export function activityMs({ time }: Pick<ActivityEntry, 'time'>): number {
  return parseTime(time) ?? 0;
}
