import type { ObjectChange } from '@/lib/kudo/parameters/parameter-edit';
import type { Operator, OperatorVersion } from '@/lib/kudo/types';
import type { PackageProblem } from './types';

/** A package of the catalogue as lists show it. */
export interface PackageSummary {
  readonly name: string;
  /** What distinguishes versions of one operator, in addresses too: `1.0.0`, or `16.4-1.0.0` with an appVersion. */
  readonly key: string;
  readonly operatorVersion: string;
  /** Empty when the package names none. */
  readonly appVersion: string;
  readonly origin: 'bundled' | 'uploaded';
  readonly description: string;
  readonly url: string;
  readonly maintainers: readonly string[];
  readonly parameterCount: number;
  /** Plans in the package's order. */
  readonly plans: readonly string[];
  readonly warnings: readonly Pick<PackageProblem, 'path' | 'message'>[];
}

/** A package with everything in it: the objects that it becomes. */
export interface PackageDetail extends PackageSummary {
  readonly operator: Operator;
  readonly version: OperatorVersion;
  /** Operators that it installs besides its own, as `name version`; nothing when they could not be found. */
  readonly dependencies: readonly string[];
  /** Markdown (lib/kudo/package-docs). */
  readonly documentation: string;
}

/** One task of a previewed plan. */
export interface PreviewTask {
  readonly phase: string;
  readonly step: string;
  readonly task: string;
  readonly kind: string;
  readonly objects: readonly PreviewObject[];
  /** API versions that the cluster does not serve and that were converted, in sentences. */
  readonly warnings: readonly string[];
  /** Why it cannot be rendered. */
  readonly problem: string | undefined;
}

/** One object of a preview; secret values are masked in the text. */
export interface PreviewObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly yaml: string;
}

/** An install that a person asks for: where, and the values that differ from the defaults. */
export interface InstallRequest {
  readonly namespace: string;
  readonly instance: string;
  readonly parameters: { readonly [name: string]: string };
  /** True: secret values are stored in the Instance. Else they go into its Secret. */
  readonly inline?: boolean;
  /** True: the kinds that the operator brings are left out. */
  readonly skipCrds?: boolean;
  /** CRDs of others, by name, that become those of the operator. */
  readonly adoptCrds?: readonly string[];
}

/** A version change that a person asks for. */
export interface VersionChangeRequest {
  /** The name of the OperatorVersion: one of the namespace, or one that a package of the catalogue becomes. */
  readonly operatorVersion: string;
  /** New values by name; null removes the Instance's own value. */
  readonly parameters: { readonly [name: string]: string | null };
  /** The confirmation of the destructive plan that the change starts: `PLAN/INSTANCE`. */
  readonly confirm?: string;
  /** Why the lock of the Instance is broken for this change. */
  readonly breakLock?: string;
  /** The PlanApproval of the plan that the change starts. */
  readonly approval?: string;
  /** The person's words. */
  readonly reason?: string;
  /** The token of the preview that the person saw. */
  readonly preview?: string;
}

/** What installing a package would do. */
export interface InstallPreview {
  readonly tasks: readonly PreviewTask[];
  /** Parameters that are wrong, by name. */
  readonly problems: readonly { readonly field: string; readonly message: string }[];
}

/** `16.4-1.0.0` of the OperatorVersion `postgres-16.4-1.0.0`; the whole name when it does not begin with its operator. */
export function versionKeyOf(version: OperatorVersion): string {
  const name = version.metadata.name ?? '';
  const prefix = `${version.spec?.operator?.name ?? ''}-`;
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

/** What moving an Instance to another version of its operator would do. */
export interface VersionChangePreview {
  /** `runs`: plan `plan` starts. `stores`: accepted, nothing starts. `refused`: `message` says why. */
  readonly outcome: 'runs' | 'queues' | 'stores' | 'refused';
  readonly plan: string | undefined;
  readonly message: string | undefined;
  /** What the change has to confirm, when the plan is destructive: `PLAN/INSTANCE`. */
  readonly confirmation: string | undefined;
  readonly warnings: readonly string[];
  /** What is created first, because the version is not in the namespace yet: `OperatorVersion postgres-16.9-1.1.0`. */
  readonly installs: readonly string[];
  /** Objects that the plan creates, changes or deletes, in its order. Secret values are masked. */
  readonly objects: readonly ObjectChange[];
  /** Objects that the plan applies again without a difference. */
  readonly unchanged: number;
  /** Workloads whose pods restart or stop, a sentence each. */
  readonly restarts: readonly string[];
  /** Objects that the present version applies and the new one does not: they stay, as `Kind name`. */
  readonly leftOver: readonly string[];
  /** Tasks that cannot be rendered, and objects that the API server refuses, with the reason. */
  readonly renderProblems: readonly string[];
  /** Parameters that are wrong or need a value, by name. */
  readonly problems: readonly { readonly field: string; readonly message: string }[];
  /** With which the change says that this was seen (`lib/kudo/runs/preview-token`); empty without a plan. */
  readonly token: string;
}
