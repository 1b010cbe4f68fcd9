import type { Clock, Timer } from '@/lib/clock/clock';
import { nameOf, namespacedName, namespaceOf } from '@/lib/kube/object';
import { HEALTH_CHECKS_ANNOTATION, healthChecksOf } from '@/lib/kudo/health-checks/definitions';
import { healthStatuses, withHealth, writeDueInMs } from '@/lib/kudo/health-checks/results';
import type { HealthCheckStatus } from '@/lib/kudo/health-checks/types';
import { operatorVersionKey } from '@/lib/kudo/names';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { limits } from '@/lib/limits/limits';
import type { Random } from '@/lib/random/random';
import type { Api } from '@/server/kube/api';
import type { Cache } from '@/server/kube/cache';
import type { Log } from '@/server/log/log';
import type { TextRenderer } from '@/server/tasks/render-texts';
import { InstanceChecks } from './instance-checks';
import { readyPodsOf } from './ready-pods';
import { RequestSlots } from './request-slots';

export interface HealthChecksDeps {
  /** Refuses to run commands when this process does not lead. */
  readonly api: Api;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly renderTexts: TextRenderer;
  readonly store: { get(key: string): Instance | undefined };
  readonly watches: {
    readonly operatorVersions: Pick<Cache, 'get'>;
    readonly workloads: { get(resource: 'pods'): Pick<Cache, 'list'> | undefined };
  };
  /** Has the Instance (`namespace/name`) reconciled soon. */
  requeue(key: string): void;
}

interface Entry {
  readonly uid: string;
  readonly definition: string;
  readonly checks: InstanceChecks;
  /** What this process wrote last, and when: an old definition of the kind drops it from the stored status. */
  written: readonly HealthCheckStatus[];
  writtenMs: number | undefined;
  timer: Timer | undefined;
}

/**
 * Runs the health checks that operators declare (docs/decisions/062-health-checks.md), for all Instances with a bounded number of
 * requests at once, while this process leads. It writes nothing: a reconcile of the Instance asks for what is due, so that no two
 * writers meet.
 */
export class HealthChecks {
  private readonly entries = new Map<string, Entry>();
  private readonly slots = new RequestSlots(limits.healthRequestsAtOnce);
  private leads = false;

  constructor(private readonly deps: HealthChecksDeps) {}

  /** Runs the checks of the version for this Instance from now on. Called by every reconcile; cheap when nothing has changed. */
  needs(instance: Instance, operatorVersion: OperatorVersion | undefined): void {
    const key = namespacedName(instance);
    const definition = operatorVersion?.metadata.annotations?.[HEALTH_CHECKS_ANNOTATION] ?? '';
    const { uid = '', deletionTimestamp } = instance.metadata;
    const known = this.entries.get(key);
    if (known?.uid === uid && known.definition === definition && (deletionTimestamp ?? '') === '') {
      known.checks.podsMayDiffer();
      return;
    }
    this.forget(key);
    if (!this.leads || definition === '' || (deletionTimestamp ?? '') !== '') return;
    const checks = new InstanceChecks(this.depsOf(key), healthChecksOf(operatorVersion));
    this.entries.set(key, { uid, definition, checks, written: [], writtenMs: undefined, timer: undefined });
  }

  forget(key: string): void {
    const entry = this.entries.get(key);
    entry?.checks.stop();
    entry?.timer?.cancel();
    this.entries.delete(key);
  }

  /** Stops every check; a reconcile of the new leader term starts them again. Without leadership none starts. */
  setLeads(leads: boolean): void {
    // Another shard of this process: the checks of those before go on.
    if (leads && this.leads) return;
    this.leads = leads;
    for (const key of [...this.entries.keys()]) this.forget(key);
  }

  /** What is to be written into the status of the Instance now; undefined when nothing is. */
  due(instance: Instance): readonly HealthCheckStatus[] | undefined {
    const { stored, wanted, isKnown, dueMs } = this.statusesOf(instance);
    if (dueMs === 0) return wanted;
    const conditions = instance.status?.conditions;
    // After a start nothing is known where an old definition of the kind drops the results.
    if (!isKnown && stored.length === 0) return undefined;
    return withHealth(conditions, stored, '') === conditions ? undefined : wanted;
  }

  /** Must be called after each write of what was due. */
  written(instance: Instance, statuses: readonly HealthCheckStatus[]): void {
    const entry = this.entries.get(namespacedName(instance));
    if (entry === undefined) return;
    entry.written = statuses;
    entry.writtenMs = this.deps.clock.now();
  }

  private statusesOf(instance: Instance): {
    readonly stored: readonly HealthCheckStatus[];
    readonly wanted: readonly HealthCheckStatus[];
    /** True when every check has run, or there is none. */
    readonly isKnown: boolean;
    readonly dueMs: number | undefined;
  } {
    const entry = this.entries.get(namespacedName(instance));
    const live = instance.status?.healthChecks ?? [];
    const stored = live.length > 0 ? live : (entry?.written ?? []);
    const known = entry?.checks.known() ?? [];
    const isKnown = known.every(({ outcome }) => outcome !== undefined);
    const wanted = healthStatuses(known, stored);
    return { stored, wanted, isKnown, dueMs: writeDueInMs(stored, wanted, this.deps.clock.now(), entry?.writtenMs) };
  }

  /** Has the Instance reconciled when a write is due. */
  private changed(key: string): void {
    const entry = this.entries.get(key);
    const instance = this.deps.store.get(key);
    if (entry === undefined || instance === undefined) return;
    const { dueMs } = this.statusesOf(instance);
    entry.timer?.cancel();
    entry.timer = undefined;
    if (dueMs === 0) this.deps.requeue(key);
    else if (dueMs !== undefined) entry.timer = this.deps.clock.after(dueMs, () => this.deps.requeue(key));
  }

  private depsOf(key: string) {
    const { api, clock, random, log, renderTexts, store, watches } = this.deps;
    return {
      ...{ api, clock, random, log, renderTexts, slots: this.slots },
      read: () => {
        const instance = store.get(key);
        if (instance === undefined) return undefined;
        const { namespace, name } = operatorVersionKey(instance);
        const operatorVersion = watches.operatorVersions.get(namespace, name) as OperatorVersion | undefined;
        return operatorVersion === undefined ? undefined : { instance, operatorVersion };
      },
      pods: () => {
        const instance = store.get(key);
        if (instance === undefined) return [];
        return readyPodsOf(watches.workloads.get('pods')?.list(namespaceOf(instance)) ?? [], nameOf(instance));
      },
      changed: () => this.changed(key),
    };
  }
}
