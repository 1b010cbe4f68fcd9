import type { VolumeFate } from './volume-fate';

/** What a start of a plan, or an edit that starts one, would do. */
export interface PlanPreview {
  /** `stores`: the edit is accepted, and no plan starts. `queues`: the plan waits until the one in progress is over. */
  readonly outcome: 'runs' | 'queues' | 'stores' | 'refused';
  /** The plan that starts. */
  readonly plan: string | undefined;
  /** Why it cannot start. */
  readonly message: string | undefined;
  /** What the start has to confirm, when the plan is destructive: `PLAN/INSTANCE`. */
  readonly confirmation: string | undefined;
  /** What cannot be checked with the rights of the person, a sentence each: preconditions, which the controller checks, and dry runs. */
  readonly unchecked: readonly string[];
  /** Every task that runs, in the order of the plan. A retry leaves out steps that are complete. */
  readonly tasks: readonly PlannedTask[];
  /** What becomes of each object in the end, in the order in which the plan first names them; those that stay are in `unchanged`. */
  readonly objects: readonly PlanObjectChange[];
  readonly unchanged: number;
  /** Workloads whose pods restart or stop, a sentence each. */
  readonly restarts: readonly string[];
  /** Every PersistentVolumeClaim of the Instance: those that the plan deletes, then those that stay. */
  readonly volumes: readonly VolumeFate[];
  /** The token with which a start says that this was seen (`lib/kudo/runs/preview-token`); empty without a plan. */
  readonly token: string;
  /** Tasks that cannot be rendered, objects that the API server refuses, and reads that failed, a sentence each. */
  readonly problems: readonly string[];
}

export interface PlannedTask {
  readonly phase: string;
  readonly step: string;
  readonly task: string;
  /** `Apply`, `Delete`, `Toggle`, `Pipe`, `KudoOperator`, `Dummy`; empty for a task that the operator does not define. */
  readonly kind: string;
  /** What the task does to each object that it names, in its order. */
  readonly objects: readonly PlannedTouch[];
}

export interface PlannedTouch {
  readonly kind: string;
  readonly name: string;
  /**
   * Compared with what the tasks before leave. `absent`: to be deleted, and does not exist. `unknown`: what a pipe or a child
   * Instance gets is known when the task runs.
   */
  readonly change: 'create' | 'change' | 'unchanged' | 'delete' | 'absent' | 'unknown';
}

/** `replace`: deleted, then created again. */
export interface PlanObjectChange {
  readonly kind: string;
  readonly name: string;
  readonly change: 'create' | 'change' | 'delete' | 'replace';
  /** `phase / step`. */
  readonly place: string;
  /**
   * YAML of the live object, and of what it becomes (for a new object as it is sent); secret values are masked. Empty when it does not
   * exist, and when the preview is too large.
   */
  readonly before: string;
  readonly after: string;
}
