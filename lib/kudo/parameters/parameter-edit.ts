import type { RunWishes } from '@/lib/kudo/runs/run-request';
import type { VolumeFate } from '@/lib/kudo/view/volume-fate';

/** An edit of parameters as the console sends it. */
export interface ParameterEdit {
  /** New values by name; null takes the Instance's own value away. */
  readonly parameters: { readonly [name: string]: string | null };
  /**
   * What the person saw of these parameters (null: not set). When the stored value differs by now the edit is refused, so
   * that nobody overwrites what they have not seen. Secrets are not in it; leaving a name out skips the check.
   */
  readonly seen: { readonly [name: string]: string | null };
  /** Keep secret values in the Instance; else they go into a Secret. */
  readonly inline?: boolean;
  /** The confirmation of the destructive plan that the edit starts: `PLAN/INSTANCE`. */
  readonly confirm?: string;
  /** What the person says about the run that starts. */
  readonly wishes?: RunWishes;
}

/** What an edit would do to the objects of the plan that it starts. */
export interface EditPreview {
  readonly outcome: 'runs' | 'queues' | 'stores' | 'refused';
  readonly plan: string | undefined;
  readonly message: string | undefined;
  readonly warnings: readonly string[];
  /** What the edit has to confirm, when the plan is destructive. */
  readonly confirmation: string | undefined;
  /** In the order in which the plan touches them. */
  readonly objects: readonly ObjectChange[];
  /** Objects that the plan applies again without a difference. */
  readonly unchanged: number;
  /** Workloads whose pods restart or stop, a sentence each. */
  readonly restarts: readonly string[];
  /** The claims that the plan deletes or makes larger, and those of members that it removes. */
  readonly volumes: readonly VolumeFate[];
  /** Tasks that cannot be rendered, objects that the API server refuses, and checks that could not be made, with the reason. */
  readonly problems: readonly string[];
  /** With which the edit says that this was seen (`lib/kudo/runs/preview-token`); empty without a plan. */
  readonly token: string;
}

export interface ObjectChange {
  readonly kind: string;
  readonly name: string;
  readonly change: 'create' | 'change' | 'delete';
  /** YAML with the values as they are, and as they would be. Secret values are masked. */
  readonly before: string;
  readonly after: string;
  /** `phase / step`. */
  readonly place: string;
}
