import { nameOf, namespaceOf } from '@/lib/kube/object';
import { isOver, type PlanRun, type RunStatus } from '@/lib/kudo/runs/plan-run';
import { beganMs, byTime, causeWords, startOf } from '@/lib/kudo/runs/run-words';
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
  /** The same as a number; 0 when not known. */
  readonly beganMs: number;
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
  const { spec = {}, status = {} } = run;
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
    startedAt: startOf(run),
    beganMs: beganMs(run),
    finishedAt: status.finishedAt,
    isOver: isOver(status.status),
    run,
  };
}

/**
 * The newest first.
 *
 * @param known rows that were made before, by their run: of very many runs a few change at a time
 */
export function runRows(runs: readonly PlanRun[], known = new WeakMap<PlanRun, RunRow>()): RunRow[] {
  const rows = runs.map((run) => {
    const row = known.get(run) ?? runRow(run);
    known.set(run, row);
    return row;
  });
  return rows.sort((a, b) => b.beganMs - a.beganMs || byTime(a.run, b.run));
}

/** The address of a run's page. */
export function runPath({ namespace, instance, name }: Pick<RunRow, 'namespace' | 'instance' | 'name'>): string {
  return instancePath(namespace, instance, `runs/${encodeURIComponent(name)}`);
}
