import { formatTime, parseTime } from '@/lib/clock/clock';
import type { Condition, Instance } from '../types';
import type { HealthCheckStatus, HealthOutcome } from './types';

export const HEALTHY_CONDITION = 'Healthy';

/** A changed text (`lag 3 s` → `lag 4 s`) is written at most this often; a changed verdict at once. */
export const TEXT_PACE_MS = 60_000;
/** Without any change the time of the last run is written this often, so that a reader sees that the checks go on. */
export const PROBE_PACE_MS = 600_000;

/** One check with its newest outcome; undefined when it has not run yet in this leader term. */
export interface KnownOutcome {
  readonly name: string;
  readonly outcome: (HealthOutcome & { readonly atMs: number }) | undefined;
}

/** What the status should say: the new outcomes, and what is stored of checks that have not run yet. */
export function healthStatuses(
  known: readonly KnownOutcome[],
  stored: readonly HealthCheckStatus[],
): HealthCheckStatus[] {
  return known.flatMap(({ name, outcome }): HealthCheckStatus[] => {
    const before = stored.find((each) => each.name === name);
    if (outcome === undefined) return before === undefined ? [] : [before];
    const now = formatTime(outcome.atMs);
    const since = before?.status === outcome.verdict ? (before.lastTransitionTime ?? now) : now;
    return [
      {
        name,
        status: outcome.verdict,
        message: outcome.message,
        ...(outcome.pod === '' ? {} : { pod: outcome.pod }),
        lastTransitionTime: since,
        lastProbeTime: now,
      },
    ];
  });
}

/**
 * In how many ms `wanted` is to be written over `stored`: 0 when a verdict or the set of checks differs, later for a text and for
 * the time of the last run; undefined when there is nothing to write.
 *
 * @param writtenMs when `stored` was written, milliseconds since 1970; the newest time in it when absent
 */
export function writeDueInMs(
  stored: readonly HealthCheckStatus[],
  wanted: readonly HealthCheckStatus[],
  nowMs: number,
  writtenMs = Math.max(...stored.map(({ lastProbeTime }) => parseTime(lastProbeTime) ?? 0)),
): number | undefined {
  if (wanted.length === 0 && stored.length === 0) return undefined;
  const verdicts = (each: readonly HealthCheckStatus[]) => each.map(({ name, status }) => `${name} ${status}`).join();
  if (verdicts(stored) !== verdicts(wanted)) return 0;
  const texts = (each: readonly HealthCheckStatus[]) => JSON.stringify(each.map(({ message, pod }) => [message, pod]));
  const pace = texts(stored) === texts(wanted) ? PROBE_PACE_MS : TEXT_PACE_MS;
  // A clock that was set back must not stop the writes.
  return Math.min(pace, Math.max(0, writtenMs + pace - nowMs));
}

/** The statuses that count, without those of programs that the sandbox only simulates. */
function counted(statuses: readonly HealthCheckStatus[]): readonly HealthCheckStatus[] {
  return statuses.filter(({ status }) => status !== 'Simulated');
}

/** Check and pod in one sentence part: `replication lag 95 s on orders-1 (health check replication)`. */
export function checkSentence({ name = '', message = '', pod = '' }: HealthCheckStatus): string {
  return `${message}${pod === '' ? '' : ` on ${pod}`} (health check ${name})`;
}

/** The condition `Healthy` for these statuses; undefined when no check counts. */
export function healthCondition(
  statuses: readonly HealthCheckStatus[],
): Omit<Condition, 'lastTransitionTime'> | undefined {
  const all = counted(statuses);
  if (all.length === 0) return undefined;
  const sentences = (verdict: string) => all.filter(({ status }) => status === verdict).map(checkSentence);
  const type = HEALTHY_CONDITION;
  const failing = sentences('Failing');
  if (failing.length > 0) return { type, status: 'False', reason: 'HealthCheckFailed', message: failing.join('; ') };
  const unknown = sentences('Unknown');
  if (unknown.length > 0) return { type, status: 'Unknown', reason: 'HealthUnknown', message: unknown.join('; ') };
  const message = all.length === 1 ? 'The health check passes.' : `All ${all.length} health checks pass.`;
  return { type, status: 'True', reason: 'HealthChecksPassed', message };
}

/** The conditions with `Healthy` as the statuses say, or without it. Returns the same array when nothing changes. */
export function withHealth(
  conditions: readonly Condition[] | undefined,
  statuses: readonly HealthCheckStatus[],
  now: string,
): readonly Condition[] | undefined {
  const wanted = healthCondition(statuses);
  const existing = conditions?.find(({ type }) => type === HEALTHY_CONDITION);
  if (wanted === undefined && existing === undefined) return conditions;
  const others = (conditions ?? []).filter(({ type }) => type !== HEALTHY_CONDITION);
  if (wanted === undefined) return others;
  const { status, reason, message } = wanted;
  if (existing?.status === status && existing.reason === reason && existing.message === message) return conditions;
  const lastTransitionTime = existing?.status === status ? existing.lastTransitionTime : now;
  return [...others, { ...wanted, lastTransitionTime }];
}

/** The condition of an Instance, if one was written. */
export function healthyConditionOf(instance: Pick<Instance, 'status'>): Condition | undefined {
  return instance.status?.conditions?.find(({ type }) => type === HEALTHY_CONDITION);
}

/** An event is due for a new condition that is not True, a changed status, and another set of failing checks. */
export function healthEvent(
  before: readonly HealthCheckStatus[],
  after: readonly HealthCheckStatus[],
): { readonly type: 'Normal' | 'Warning'; readonly reason: string; readonly message: string } | undefined {
  const [was, is] = [healthCondition(before), healthCondition(after)];
  if (is === undefined) return undefined;
  const failing = (each: readonly HealthCheckStatus[]) =>
    each.flatMap(({ name, status }) => (status === 'Failing' ? [name] : [])).join();
  const isSame = was?.status === is.status && failing(before) === failing(after);
  if (isSame || (was === undefined && is.status === 'True')) return undefined;
  return { type: is.status === 'True' ? 'Normal' : 'Warning', reason: is.reason, message: is.message };
}
