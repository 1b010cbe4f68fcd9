import { nameOf, namespaceOf } from '@/lib/kube/object';
import { isOver, type PlanRun, type RunStatus } from '@/lib/kudo/runs/plan-run';
import { byTime, causeWords } from '@/lib/kudo/runs/run-words';
import { instancePath } from './instance-path';
import type { StatusKey } from './status-words';

/** A run as lists show it. */
export interface RunRow {
  /** `namespace/name`. */
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly instance: string;
  readonly plan: string;
  readonly status: StatusKey;
  readonly why: string;
  /** Who asked for it; empty when nobody can tell. */
  readonly who: string;
  /** In the words of the person. */
  readonly reason: string;
  readonly message: string;
  /** RFC 3339; empty when not known. */
  readonly startedAt: string;
  readonly finishedAt: string | undefined;
  readonly isOver: boolean;
  readonly run: PlanRun;
}

const KEYS: { readonly [status in RunStatus]: StatusKey } = {
  PENDING: 'PENDING',
  IN_PROGRESS: 'IN_PROGRESS',
  Paused: 'paused',
  COMPLETE: 'COMPLETE',
  FATAL_ERROR: 'FATAL_ERROR',
  Cancelled: 'cancelled',
};

/** A run that has not been written since it began runs. */
export function runStatusKey(status: RunStatus | undefined): StatusKey {
  return KEYS[status ?? 'IN_PROGRESS'];
}

export function runRow(run: PlanRun): RunRow {
  const { spec = {}, status = {}, metadata } = run;
  const [namespace, name] = [namespaceOf(run), nameOf(run)];
  return {
    key: `${namespace}/${name}`,
    namespace,
    name,
    instance: spec.instanceName ?? '',
    plan: spec.plan ?? '',
    status: runStatusKey(status.status),
    why: causeWords(spec.cause),
    who: spec.requestedBy ?? '',
    reason: spec.reason ?? '',
    message: status.message ?? '',
    startedAt: status.startedAt ?? metadata.creationTimestamp ?? '',
    finishedAt: status.finishedAt,
    isOver: isOver(status.status),
    run,
  };
}

/** The newest first. */
export function runRows(runs: readonly PlanRun[]): RunRow[] {
  return [...runs].sort(byTime).map(runRow);
}

/** The address of a run's page. */
export function runPath({ namespace, instance, name }: Pick<RunRow, 'namespace' | 'instance' | 'name'>): string {
  return instancePath(namespace, instance, `runs/${encodeURIComponent(name)}`);
}

/** Which runs a list shows, as it is in the address of the page. */
export interface RunFilter {
  readonly query: string;
  readonly status: StatusKey | undefined;
}

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

/** Runs that hold every word somewhere; `field:text` looks in one field: name, namespace (ns), instance, plan, who, why, reason. */
export function filterRuns(rows: readonly RunRow[], { query, status }: RunFilter): RunRow[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter(
    (row) => (status === undefined || row.status === status) && words.every((word) => holds(row, word)),
  );
}

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

/** Reads the address; a status that does not exist is ignored. */
export function parseRunFilter(params: URLSearchParams): RunFilter {
  const status = SHOWN.find((known) => known === params.get('status'));
  return { query: params.get('q') ?? '', status };
}

/** `?q=…&status=…`, or the empty string. */
export function formatRunFilter({ query, status }: RunFilter): string {
  const params = new URLSearchParams();
  if (query !== '') params.set('q', query);
  if (status !== undefined) params.set('status', status);
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}
