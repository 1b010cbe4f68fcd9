import type { VolumeFate } from './volume-fate';

/** What starting a plan would do, for its dialog. */
export interface PlanPreview {
  /** `queues`: it waits until the plan in progress is over. */
  readonly outcome: 'runs' | 'queues' | 'refused';
  /** Why it cannot start. */
  readonly message: string | undefined;
  /** What the start has to confirm, when the plan is destructive: `PLAN/INSTANCE`. */
  readonly confirmation: string | undefined;
  /** Preconditions that cannot be checked with the rights of the person, a sentence each; the controller checks them. */
  readonly unchecked: readonly string[];
  /** Objects in the order in which the plan first names them; those that it applies without a change are in `unchanged`. */
  readonly objects: readonly PlanObjectChange[];
  readonly unchanged: number;
  /** Workloads whose pods restart or stop, a sentence each. */
  readonly restarts: readonly string[];
  /** Every PersistentVolumeClaim of the Instance: those that the plan deletes, then those that stay. */
  readonly volumes: readonly VolumeFate[];
  /** Tasks that cannot be rendered, and reads that failed, a sentence each: the lists are incomplete then. */
  readonly problems: readonly string[];
}

/** `replace`: deleted, then created again. */
export interface PlanObjectChange {
  readonly kind: string;
  readonly name: string;
  readonly change: 'create' | 'change' | 'delete' | 'replace';
  /** `phase / step`. */
  readonly place: string;
}
