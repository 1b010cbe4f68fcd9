import { formatTime } from '@/lib/clock/clock';
import { ConflictError } from '@/lib/errors/errors';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { isOver, type PlanRun } from '@/lib/kudo/runs/plan-run';
import { retentionOf } from '@/lib/kudo/runs/retention';
import { limits } from '@/lib/limits/limits';
import { codeOf } from '@/server/kube/errors';
import type { ReconcilerDeps } from './reconciler-deps';
import { endRunsOfGone } from './run-record';

/** Deletes the records that are over their number, age or size, each as it is known; what has changed meanwhile stays. */
export async function sweepRecords(deps: ReconcilerDeps): Promise<void> {
  const { planRuns, watches, clock, log } = deps;
  if (!planRuns.isServed || !watches.instances.isSynced) return;
  const instances = new Set(watches.instances.list().map(({ metadata }) => metadata.uid ?? ''));
  const runs = planRuns.all();
  const isOurs = (run: PlanRun) => deps.owns(instanceKeyOf(run));
  // The size of all runs counts, and each shard deletes its own.
  const retention = retentionOf({ runs, instances, nowMs: clock.now(), limits: limits.planRuns });
  const [expired, orphaned] = [retention.expired.filter(isOurs), retention.orphaned.filter(isOurs)];
  // A controller that was not there when the Instance went.
  const isLeft = ({ spec, status }: PlanRun) => !isOver(status?.status) && !instances.has(spec?.instanceUid ?? '');
  const left = new Set(runs.filter((run) => isLeft(run) && isOurs(run)).map(instanceKeyOf));
  for (const key of left) if (deps.store.get(key) === undefined) await endRunsOfGone(deps, key);
  for (const run of orphaned)
    await unlessChanged(() => planRuns.patchStatus(run, { instanceGoneAt: formatTime(clock.now()) }));
  for (const run of expired) await unlessChanged(() => planRuns.delete(run));
  if (expired.length > 0) {
    const names = expired.slice(0, 20).map((run) => `${namespaceOf(run)}/${nameOf(run)}`);
    log.info('runs.expired', { count: expired.length, names });
  }
}

function instanceKeyOf(run: PlanRun): string {
  return `${namespaceOf(run)}/${run.spec?.instanceName ?? ''}`;
}

async function unlessChanged(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!(error instanceof ConflictError) && codeOf(error) !== 404) throw error;
  }
}
