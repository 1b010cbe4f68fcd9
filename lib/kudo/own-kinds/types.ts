import type { LiveObjects } from '@/lib/kudo/live-values/live-objects';
import type { ReadObject } from '@/lib/kudo/live-values/live-values';
import type { JsonSchema } from '@/lib/schema/json-schema';

/**
 * A kind that an operator brings (`api:` of operator.yaml, docs/decisions/093): its CRD, and what the controller does for each resource.
 * Exactly one of `instance` and `run` is set.
 */
export interface OwnKind {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** At least one; exactly one has `storage`. */
  readonly versions: readonly OwnVersion[];
  readonly instance?: InstanceMapping;
  readonly run?: RunMapping;
  /** Fields of the status beside the standard ones → text of an {@link Expression}, in the order of the file. */
  readonly status?: { readonly [field: string]: string };
  readonly rules?: readonly OwnRule[];
  /** Objects that status and conditions see as `objects.ID`; one that does not exist is absent. Only of a kind with `instance`. */
  readonly objects?: readonly ReadObject[];
  /** Conditions beside the standard ones. */
  readonly conditions?: readonly OwnConditionRule[];
}

/** A condition of the status that an expression decides. */
export interface OwnConditionRule {
  readonly type: string;
  /** CEL that gives a bool: True or False; Unknown while it cannot be evaluated. */
  readonly rule: string;
  /** Of False; may contain templates. */
  readonly message: string;
}

export interface OwnVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  /** Of the whole resource: `spec` and the declared fields of `status`. */
  readonly schema: JsonSchema;
  readonly printerColumns?: readonly OwnColumn[];
  readonly scale?: OwnScale;
}

/** apiextensions CustomResourceColumnDefinition. */
export interface OwnColumn {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
  readonly description?: string;
  readonly priority?: number;
}

/** apiextensions CustomResourceSubresourceScale. */
export interface OwnScale {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath: string;
}

/** The resource is an Instance of the same name. */
export interface InstanceMapping {
  /** Parameter → text of an {@link Expression}. Other parameters belong to whoever edits the Instance. */
  readonly parameters: { readonly [name: string]: string };
}

/** The resource is one run of a plan. */
export interface RunMapping {
  readonly plan: string;
  /** Text of an {@link Expression} that gives the name of an Instance in the same namespace. */
  readonly instance: string;
  /** Parameter → text of an {@link Expression}; set with the start of the plan. */
  readonly parameters: { readonly [name: string]: string };
  /**
   * What confirms a plan that is marked destructive. `annotation`: `bravo.kudo.dev/confirm: PLAN/INSTANCE` on the resource. `name`: the
   * resource has the name of the Instance.
   */
  readonly confirmedBy: ConfirmedBy;
}

export const CONFIRMED_BY = ['annotation', 'name'] as const;
export type ConfirmedBy = (typeof CONFIRMED_BY)[number];

/** What must hold before anything is done for a resource; with `blocks: false`, what the condition `Compatible` says. */
export interface OwnRule {
  /** CEL that gives a bool. */
  readonly rule: string;
  /** A sentence; may contain templates. */
  readonly message: string;
  /** CamelCase. */
  readonly reason: string;
  readonly blocks: boolean;
}

/** What an expression may name, each as plain JSON: `self`, and with it `instance`, `run` and `state`, null when there is none. */
export interface ExpressionScope {
  /** The resource at the storage version. */
  readonly self: object;
  readonly instance?: object | null;
  readonly run?: object | null;
  /** What the controller found out: see own-status. */
  readonly state?: object | null;
  /** By id; empty when absent. */
  readonly objects?: LiveObjects;
}
