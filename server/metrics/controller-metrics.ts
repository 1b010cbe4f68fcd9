import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { UsageRow } from '@/lib/kudo/usage/rows';
import { BoundedLabels } from './bounded-labels';
import { type MeasuredQueue, type QueueObserver, queueMetrics } from './queue-metrics';
import { addUpgradeGauges, type MeasuredUpgrades } from './upgrade-gauges';
import { addUsageGauge } from './usage-metrics';

/** What came of a reconcile: it did its work, it is tried again, it met a newer state, or it failed (`bug`: by an error of Bravo). */
export type ReconcileResult = 'success' | 'retry' | 'conflict' | 'error' | 'bug';

/** The end of a run. */
export interface EndedPlan {
  readonly plan: string;
  readonly operator: string;
  /** KUDO's status: COMPLETE, FATAL_ERROR. */
  readonly result: string;
  /** Undefined when its start is not known. */
  readonly tookMs: number | undefined;
}

/** How old the last good backup of an Instance is. */
export interface BackupAge {
  readonly namespace: string;
  readonly instance: string;
  /** Undefined when there is no good backup. */
  readonly ageMs: number | undefined;
  /** Undefined without a goal. */
  readonly goalMs: number | undefined;
  readonly isMissed: boolean;
}

/** A watched copy of objects. */
export interface MeasuredCache {
  readonly resource: string;
  readonly objects: number;
  /** How long it may be out of date, in ms; 0 while its watch is open. */
  readonly staleMs: number;
}

/** What is asked of a controller when metrics are read. */
export interface MeasuredController {
  /** True while it holds the lease, or that of a shard. */
  readonly leads: boolean;
  /** Into how many shards the Instances are divided; 1 without shards. */
  readonly shards: number;
  /** For how many of them this controller acts. */
  readonly shardsHeld: number;
  readonly queue: MeasuredQueue;
  caches(): readonly MeasuredCache[];
  /** Of the Instances that this controller reconciles; empty while it does not lead. */
  backupAges(): readonly BackupAge[];
  /** Objects that self-heal watches and that differ from what plans applied. */
  driftedObjects(): number;
  /** What namespaces used, by month; of the controller of shard 0 alone. */
  usage(): readonly UsageRow[];
  upgrades(): MeasuredUpgrades;
}

/** So many pairs of operator and plan have series of their own. */
const MOST_PLANS = 300;
/** So many kinds of objects: an operator may bring its own. */
const MOST_RESOURCES = 100;
/** So many Instances have series of their backups: those that missed their goal first, then the oldest. */
export const MOST_BACKUP_SERIES = 500;

const RECONCILE_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const PLAN_SECONDS = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 14_400];
const RESULTS: readonly ReconcileResult[] = ['success', 'retry', 'conflict', 'error', 'bug'];

/** The metrics of a controller. What can be read when it is asked for costs nothing before. */
export class ControllerMetrics {
  readonly queue: QueueObserver;
  private readonly reconciles: { readonly [result in ReconcileResult]: Counter.Internal };
  private readonly durations: Histogram;
  private readonly plans: Counter<'plan' | 'operator' | 'result'>;
  private readonly planDurations: Histogram<'plan' | 'operator'>;
  private readonly planLabels = new BoundedLabels(MOST_PLANS);
  private controller: MeasuredController | undefined;

  constructor(registry: Registry) {
    const registers = [registry];
    this.queue = queueMetrics(registry, () => this.controller?.queue);
    const reconciles = new Counter({
      name: 'bravo_reconciles_total',
      help: 'Reconciles by result: success, retry, conflict (a newer state, at once again), error, bug.',
      labelNames: ['result'],
      registers,
    });
    for (const result of RESULTS) reconciles.inc({ result }, 0);
    const of = (result: ReconcileResult) => reconciles.labels({ result });
    this.reconciles = {
      ...{ success: of('success'), retry: of('retry'), conflict: of('conflict') },
      ...{ error: of('error'), bug: of('bug') },
    };
    this.durations = new Histogram({
      name: 'bravo_reconcile_duration_seconds',
      help: 'How long a reconcile of an Instance took.',
      buckets: RECONCILE_SECONDS,
      registers,
    });
    this.plans = new Counter({
      name: 'bravo_plans_total',
      help: 'Plans that ended, by plan, operator and result (COMPLETE, FATAL_ERROR).',
      labelNames: ['plan', 'operator', 'result'],
      registers,
    });
    this.planDurations = new Histogram({
      name: 'bravo_plan_duration_seconds',
      help: 'Time from the start of a plan to its end, by plan and operator.',
      labelNames: ['plan', 'operator'],
      buckets: PLAN_SECONDS,
      registers,
    });
    addGauges(registry, () => this.controller);
  }

  /** From now on gauges are those of this controller. */
  watch(controller: MeasuredController): void {
    this.controller = controller;
  }

  reconciled(result: ReconcileResult, tookMs: number): void {
    this.reconciles[result].inc();
    this.durations.observe(tookMs / 1_000);
    if (result === 'retry' || result === 'error' || result === 'bug') this.queue.retried();
  }

  planEnded({ plan, operator, result, tookMs }: EndedPlan): void {
    const labels = this.planLabels.of({ plan, operator });
    this.plans.inc({ ...labels, result });
    if (tookMs !== undefined) this.planDurations.observe(labels, tookMs / 1_000);
  }
}

function addGauges(registry: Registry, controller: () => MeasuredController | undefined): void {
  const registers = [registry];
  new Gauge({
    name: 'bravo_leader',
    help: '1 while this controller holds the lease, or that of a shard, and runs plans; 0 while it waits.',
    registers,
    collect() {
      this.set(controller()?.leads === true ? 1 : 0);
    },
  });
  new Gauge({
    name: 'bravo_shards',
    help: 'Into how many shards this controller divides the Instances (BRAVO_SHARDS).',
    registers,
    collect() {
      this.set(controller()?.shards ?? 1);
    },
  });
  new Gauge({
    name: 'bravo_shards_held',
    help: 'How many shards this controller acts for.',
    registers,
    collect() {
      this.set(controller()?.shardsHeld ?? 0);
    },
  });
  new Gauge({
    name: 'bravo_drifted_objects',
    help: 'Objects of Instances with self-heal that differ from what the last plans applied.',
    registers,
    collect() {
      this.set(controller()?.driftedObjects() ?? 0);
    },
  });
  addCacheGauges(registry, controller);
  addBackupGauges(registry, controller);
  addUsageGauge(registry, () => controller()?.usage() ?? []);
  addUpgradeGauges(registry, () => controller()?.upgrades());
}

function addCacheGauges(registry: Registry, controller: () => MeasuredController | undefined): void {
  const labels = new BoundedLabels(MOST_RESOURCES);
  const common = { labelNames: ['resource'] as const, registers: [registry] };
  new Gauge({
    ...common,
    name: 'bravo_cache_objects',
    help: 'Objects in the watched copies of the controller, by resource.',
    collect() {
      this.reset();
      for (const { resource, objects } of controller()?.caches() ?? []) this.inc(labels.of({ resource }), objects);
    },
  });
  new Gauge({
    ...common,
    name: 'bravo_cache_stale_seconds',
    help: 'For how long a watched copy of the controller may be out of date; 0 while its watch is open.',
    collect() {
      this.reset();
      for (const { resource, staleMs } of controller()?.caches() ?? []) {
        this.set(labels.of({ resource }), staleMs / 1_000);
      }
    },
  });
}

function addBackupGauges(registry: Registry, controller: () => MeasuredController | undefined): void {
  const ages = () => mostUrgent(controller()?.backupAges() ?? []);
  const common = { labelNames: ['namespace', 'instance'] as const, registers: [registry] };
  new Gauge({
    ...common,
    name: 'bravo_backup_age_seconds',
    help: 'Time since the last good backup of an Instance.',
    collect() {
      this.reset();
      for (const { namespace, instance, ageMs } of ages()) {
        if (ageMs !== undefined) this.set({ namespace, instance }, ageMs / 1_000);
      }
    },
  });
  new Gauge({
    ...common,
    name: 'bravo_backup_goal_seconds',
    help: 'How old the last good backup of an Instance may be, of those that say it.',
    collect() {
      this.reset();
      for (const { namespace, instance, goalMs } of ages()) {
        if (goalMs !== undefined) this.set({ namespace, instance }, goalMs / 1_000);
      }
    },
  });
  new Gauge({
    ...common,
    name: 'bravo_backup_goal_missed',
    help: '1 when the last good backup of an Instance is older than its goal, or there is none.',
    collect() {
      this.reset();
      for (const { namespace, instance, goalMs, isMissed } of ages()) {
        if (goalMs !== undefined) this.set({ namespace, instance }, isMissed ? 1 : 0);
      }
    },
  });
}

/** At most {@link MOST_BACKUP_SERIES}: those that missed their goal first, then the oldest. */
function mostUrgent(ages: readonly BackupAge[]): readonly BackupAge[] {
  if (ages.length <= MOST_BACKUP_SERIES) return ages;
  const rank = ({ isMissed, ageMs }: BackupAge) => (isMissed ? Number.MAX_SAFE_INTEGER : 0) + (ageMs ?? 0);
  return [...ages].sort((a, b) => rank(b) - rank(a)).slice(0, MOST_BACKUP_SERIES);
}
