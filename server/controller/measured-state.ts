import type { Clock } from '@/lib/clock/clock';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { operatorVersionKey } from '@/lib/kudo/names';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import { backupGoalOf, backupHealth } from '@/lib/kudo/schedules/backup-health';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import type { UsageLedger } from '@/lib/kudo/usage/ledger';
import { usageRows } from '@/lib/kudo/usage/rows';
import type { Cache } from '@/server/kube/cache';
import type { BackupAge, MeasuredCache, MeasuredController } from '@/server/metrics/controller-metrics';
import type { MeasuredQueue } from '@/server/metrics/queue-metrics';
import { keyOf } from './instance-store';
import { measuredUpgrades } from './measured-upgrades';
import type { ReconcilerDeps } from './reconciler-deps';
import type { Watches } from './watches';

/** What metrics ask a controller for when they are read. */
export function measuredController(
  { watches, clock, selfHeal }: Pick<ReconcilerDeps, 'watches' | 'clock' | 'selfHeal'>,
  queue: MeasuredQueue,
  shards: {
    readonly count: number;
    held(): number;
    owns(key: string): boolean;
    ledgers(): ReadonlyMap<string, UsageLedger>;
  },
): MeasuredController {
  return {
    get leads() {
      return shards.held() > 0;
    },
    shards: shards.count,
    get shardsHeld() {
      return shards.held();
    },
    queue,
    caches: () => measuredCaches(watches.caches, clock),
    backupAges: () => backupAges(watches, clock, shards.owns),
    driftedObjects: () => selfHeal.driftedObjects(),
    usage: () => [...shards.ledgers()].flatMap(([namespace, ledger]) => usageRows(ledger, namespace, clock.now())),
    upgrades: () => measuredUpgrades(watches),
  };
}

/** Sizes of the watched copies, and for how long each may be out of date. */
function measuredCaches(caches: readonly Cache[], clock: Clock): MeasuredCache[] {
  return caches.map(({ target, size, staleSinceMs, problem }) => ({
    resource: target.resource,
    objects: size,
    // A kind that the cluster does not serve, or not to us, is not late.
    staleMs: staleSinceMs === undefined || (problem !== undefined && size === 0) ? 0 : clock.now() - staleSinceMs,
  }));
}

/** The last good backup of every Instance that this controller acts for and that has one or has a goal, from the watched copies. */
function backupAges(watches: Watches, clock: Clock, owns: (key: string) => boolean): BackupAge[] {
  const nowMs = clock.now();
  const runsByKey = runsWithBackups(watches.planRuns);
  return watches.instances.list().flatMap((object) => {
    const instance = object as Instance;
    if (!owns(keyOf(instance))) return [];
    const runs = runsByKey.get(keyOf(instance)) ?? [];
    const { namespace, name } = operatorVersionKey(instance);
    const version = watches.operatorVersions.get(namespace, name) as OperatorVersion | undefined;
    const goalMs = backupGoalOf(instance, version);
    if (runs.length === 0 && goalMs === undefined) return [];
    const instanceCreatedAt = instance.metadata.creationTimestamp;
    const { lastGood, isMissed } = backupHealth({ runs, goalMs: goalMs ?? 0, instanceCreatedAt, nowMs });
    const ageMs = lastGood === undefined ? undefined : nowMs - lastGood.createdMs;
    const about = { namespace: namespaceOf(instance), instance: nameOf(instance), ageMs, goalMs };
    return [{ ...about, isMissed: goalMs !== undefined && isMissed }];
  });
}

function runsWithBackups(planRuns: Cache): Map<string, PlanRun[]> {
  const runsByKey = new Map<string, PlanRun[]>();
  for (const object of planRuns.list()) {
    const run = object as PlanRun;
    if (run.status?.outputs === undefined) continue;
    const key = `${namespaceOf(run)}/${run.spec?.instanceName ?? ''}`;
    const known = runsByKey.get(key);
    if (known === undefined) runsByKey.set(key, [run]);
    else known.push(run);
  }
  return runsByKey;
}
