import { parseTime } from '@/lib/clock/clock';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { isOver, type PlanRun } from './plan-run';

/** How many records of runs are kept. */
export interface RunLimits {
  /** Of one plan of one Instance. */
  readonly perPlan: number;
  readonly days: number;
  /** After the Instance is gone. */
  readonly daysAfterInstance: number;
  /** Of the Secrets of all records together. */
  readonly bytes: number;
}

export interface RetentionInput {
  readonly runs: readonly PlanRun[];
  /** Uids of the Instances that exist. */
  readonly instances: ReadonlySet<string>;
  readonly nowMs: number;
  readonly limits: RunLimits;
}

export interface RetentionVerdict {
  /** The oldest first. */
  readonly expired: readonly PlanRun[];
  /** The last run of each Instance that is found to be gone: from now on its records are kept for some days. */
  readonly orphaned: readonly PlanRun[];
}

export const DAY_MS = 86_400_000;

/**
 * Which records go: those over the number of their plan, too old ones, those of Instances that are gone for long, and the oldest ones when
 * all together are too large. A run that is not over stays, and with it the one that it repeats; so does every run that made a backup
 * which is not deleted yet, while its Instance exists: the list of backups is made of them.
 */
export function retentionOf({ runs, instances, nowMs, limits }: RetentionInput): RetentionVerdict {
  const needed = neededRuns(runs, instances);
  const newestFirst = [...runs].sort(newerFirst);
  const goneMs = new Map<string, number>();
  for (const run of runs) {
    const at = parseTime(run.status?.instanceGoneAt);
    if (at !== undefined) goneMs.set(ownerOf(run), at);
  }
  const expired = new Set<PlanRun>();
  const countByPlan = new Map<string, number>();
  const orphaned = new Map<string, PlanRun>();
  let bytes = 0;
  for (const run of newestFirst) {
    const owner = ownerOf(run);
    const isOrphan = !instances.has(owner);
    const gone = goneMs.get(owner);
    if (isOrphan && gone === undefined && isOver(run.status?.status) && !orphaned.has(owner)) orphaned.set(owner, run);
    const plan = `${owner} ${run.spec?.plan ?? ''}`;
    const count = (countByPlan.get(plan) ?? 0) + 1;
    countByPlan.set(plan, count);
    bytes += run.status?.recordBytes ?? 0;
    const isOld = nowMs - endOf(run) > limits.days * DAY_MS;
    const isForgotten = isOrphan && gone !== undefined && nowMs - gone > limits.daysAfterInstance * DAY_MS;
    const isTooMany = count > limits.perPlan || bytes > limits.bytes;
    if ((isOld || isForgotten || isTooMany) && !needed.has(run)) expired.add(run);
  }
  return { expired: newestFirst.filter((run) => expired.has(run)).reverse(), orphaned: [...orphaned.values()] };
}

function neededRuns(runs: readonly PlanRun[], instances: ReadonlySet<string>): Set<PlanRun> {
  const needed = new Set<PlanRun>();
  const repeated = new Set<string>();
  for (const run of runs) {
    if (isOver(run.status?.status)) continue;
    needed.add(run);
    repeated.add(`${namespaceOf(run)}/${run.spec?.retryOf ?? ''}`);
  }
  const deleted = new Set<string>();
  for (const run of [...runs].sort(newerFirst)) {
    if (repeated.has(`${namespaceOf(run)}/${nameOf(run)}`)) needed.add(run);
    const owner = ownerOf(run);
    for (const { type, name = '' } of run.status?.outputs ?? []) {
      if (type === 'backup-deleted') deleted.add(`${owner} ${name}`);
      else if (type === 'backup' && instances.has(owner) && !deleted.has(`${owner} ${name}`)) needed.add(run);
    }
  }
  return needed;
}

/** Times are whole seconds: among equal ones the number counts. */
function newerFirst(a: PlanRun, b: PlanRun): number {
  return endOf(b) - endOf(a) || numberAtEnd(nameOf(b)) - numberAtEnd(nameOf(a));
}

function numberAtEnd(name: string): number {
  return Number(/[0-9]+$/.exec(name)?.[0] ?? 0);
}

function ownerOf({ spec }: PlanRun): string {
  return spec?.instanceUid ?? '';
}

/** When it ended, else when it began; ms since 1970. */
function endOf({ status, metadata }: PlanRun): number {
  return parseTime(status?.finishedAt ?? status?.startedAt ?? metadata.creationTimestamp) ?? 0;
}
