import type { Problem } from '@/lib/errors/errors';
import type { JsonValue } from '@/lib/json/json';
import type { BaseReference } from '../extends/base-reference';
import type { HealthCheck } from '../health-checks/types';
import type { LiveValuesByTask } from '../live-values/live-values';
import type { OwnKind } from '../own-kinds/types';
import type { ReferenceTrait } from '../parameters/parameter-schema';
import type { TemplatePatch } from '../patches/object-patches';
import type { PlanMetadataByPlan } from '../plan-metadata/plan-metadata';
import type { Maintainer, Plan, Task } from '../types';
import type { UpgradableFrom } from '../upgrades/version-range';
import type { Meter } from '../usage/meter';

/** The files of a package: path relative to its root (with `/`, without a leading one) → text. */
export type PackageFiles = ReadonlyMap<string, string>;

/** Something in a package, with its place. `path` is `file:line`. */
export interface PackageProblem extends Problem {
  readonly file: string;
  /** From 1; 0 when the file as a whole is meant. */
  readonly line: number;
  /** The rule that found it, e.g. `parameter-use`; absent for what keeps a package from being read. */
  readonly rule?: string;
  /** What the rule speaks of, where a tool can fix it: a parameter, a template, a task, a group or a field. */
  readonly subject?: string;
}

/** operator.yaml (KUDO pkg/kudoctl/packages/types.go OperatorFile). */
export interface PackageOperator {
  readonly name: string;
  readonly description?: string;
  readonly operatorVersion: string;
  readonly appVersion?: string;
  readonly kudoVersion?: string;
  readonly kubernetesVersion?: string;
  readonly maintainers: readonly Maintainer[];
  readonly url?: string;
  readonly namespaceManifest?: string;
  /** Ours: objects that vanish or drift are put back (KUDO ignores the key). */
  readonly selfHeal?: boolean;
  readonly tasks: readonly Task[];
  readonly plans: { readonly [name: string]: Plan };
  /** Ours: `deadline` of plans and steps, as entries of the annotation (plan/deadlines.ts); KUDO ignores the key. */
  readonly deadlines?: readonly string[];
  /** Ours: what the controller checks beyond readiness (health-checks/definitions.ts); KUDO ignores the key. */
  readonly healthChecks?: readonly HealthCheck[];
  /** Ours: kinds that the operator brings (own-kinds); KUDO ignores the key. */
  readonly api?: readonly OwnKind[];
  /** Ours: `meter`, what usage counts beside Instances (usage/meter.ts); KUDO ignores the key. */
  readonly meters?: readonly Meter[];
  /** Ours: what plans say beside their phases; KUDO ignores the keys. Absent when no plan says anything. */
  readonly planMetadata?: PlanMetadataByPlan;
  /** Ours: `reads` and `rules` of tasks; KUDO ignores the keys. Absent when no task says anything. */
  readonly liveValues?: LiveValuesByTask;
  /** Ours: which versions may be upgraded to this one; KUDO ignores the key. */
  readonly upgradableFrom?: UpgradableFrom;
  /** Ours: changes of rendered objects; KUDO ignores the key. */
  readonly patches?: readonly TemplatePatch[];
  /** Ours: the package that this one builds on. It is flattened before it is used; KUDO ignores the key. */
  readonly base?: BaseReference;
}

/** One entry of `parameters` in params.yaml. */
export interface PackageParameter {
  readonly name: string;
  readonly displayName?: string;
  readonly description?: string;
  /** True unless the author says otherwise. */
  readonly required: boolean;
  /** As written; undefined when there is none (null counts as none). */
  readonly default: JsonValue | undefined;
  /** The file itself says `required: true`, and has no key `default`, not even an empty one. */
  readonly isAsked: boolean;
  readonly trigger?: string;
  readonly type?: string;
  readonly immutable: boolean;
  readonly enum?: readonly JsonValue[];
  readonly group?: string;
  readonly hint?: string;
  readonly advanced?: boolean;
  /** Ours: the value is masked wherever it is shown. */
  readonly secret?: boolean;
  /** Ours: what the value is chosen from; see PARAMETER_PICKERS. As written, so that an unknown one can be reported. */
  readonly picker?: string;
  /** Ours: what a parameter of type `instance` may name; the key `instance` of the file. */
  readonly reference?: ReferenceTrait;
}

/** One entry of `groups` in params.yaml. */
export interface PackageGroup {
  readonly name: string;
  readonly displayName?: string;
  readonly description?: string;
  readonly priority?: number;
}

/** A package that could be read: what its files say, and where. */
export interface OperatorPackage {
  readonly operator: PackageOperator;
  readonly parameters: readonly PackageParameter[];
  readonly groups: readonly PackageGroup[];
  /** Templates by the key that tasks use, in the order of the files. */
  readonly templates: ReadonlyMap<string, string>;
  /** The line of a value in `operator.yaml` or `params.yaml`. */
  lineOf(file: 'operator.yaml' | 'params.yaml', path: readonly (string | number)[]): number;
}

export const OPERATOR_FILE = 'operator.yaml';
export const PARAMS_FILE = 'params.yaml';

/** A problem at a place of a file. */
export function problemAt(file: string, line: number, message: string): PackageProblem {
  return { file, line, message, path: line > 0 ? `${file}:${line}` : file };
}
