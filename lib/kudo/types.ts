import type { KubeObject, ObjectMeta } from '@/lib/kube/object';
import type { HealthCheckStatus } from './health-checks/types';

/** KUDO's three kinds, `kudo.dev/v1beta1` (KUDO pkg/apis/kudo/v1beta1). Every field may be absent in stored objects. */
export const KUDO_API_VERSION = 'kudo.dev/v1beta1';

/** The six status words of plans, phases and steps; `ERROR` appears on steps only. */
export type ExecutionStatus = 'NEVER_RUN' | 'PENDING' | 'IN_PROGRESS' | 'ERROR' | 'COMPLETE' | 'FATAL_ERROR';

export interface ObjectReference {
  apiVersion?: string;
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  resourceVersion?: string;
  fieldPath?: string;
}

export interface Maintainer {
  name?: string;
  email?: string;
}

export interface Operator extends KubeObject {
  spec?: OperatorSpec;
}

export interface OperatorSpec {
  description?: string;
  kudoVersion?: string;
  kubernetesVersion?: string;
  maintainers?: Maintainer[];
  url?: string;
  namespaceManifest?: string;
}

export interface OperatorVersion extends KubeObject {
  spec?: OperatorVersionSpec;
}

export interface OperatorVersionSpec {
  operator?: ObjectReference;
  version?: string;
  appVersion?: string;
  /** Template file name (relative to `templates/`) → text. */
  templates?: { [name: string]: string };
  tasks?: Task[];
  parameters?: Parameter[];
  plans?: { [name: string]: Plan } | null;
  connectionString?: string;
  upgradableFrom?: ObjectReference[];
}

export type TaskKind = 'Apply' | 'Delete' | 'Toggle' | 'Pipe' | 'KudoOperator' | 'Dummy';

export interface Task {
  name: string;
  /** One of {@link TaskKind}; a free string in stored objects. */
  kind: string;
  spec?: TaskSpec;
}

/** One flat object shared by all kinds; a kind reads only its own fields. */
export interface TaskSpec {
  resources?: string[] | null;
  parameter?: string;
  pod?: string;
  pipe?: PipeSpec[] | null;
  package?: string;
  instanceName?: string;
  appVersion?: string;
  operatorVersion?: string;
  parameterFile?: string;
  wantErr?: boolean;
  fatal?: boolean;
  done?: boolean;
}

export interface PipeSpec {
  file?: string;
  envFile?: string;
  /** `Secret` or `ConfigMap`. */
  kind?: string;
  key?: string;
}

export type ParameterType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'map';

export interface Parameter {
  name: string;
  displayName?: string;
  description?: string;
  required?: boolean;
  /** A string whatever the type (wrapped). Absent and `""` differ. */
  default?: string;
  /** The plan that a change of this parameter starts. */
  trigger?: string;
  'value-type'?: string;
  immutable?: boolean;
  enum?: string[];
}

/** `serial` has an effect; every other strategy, an absent one too, means parallel. */
export interface Plan {
  strategy?: string;
  phases?: Phase[] | null;
}

export interface Phase {
  name: string;
  strategy?: string;
  steps?: Step[] | null;
}

export interface Step {
  name: string;
  /** Names of tasks. */
  tasks?: string[] | null;
}

export interface Instance extends KubeObject {
  metadata: ObjectMeta;
  spec?: InstanceSpec;
  status?: InstanceStatus;
}

export interface InstanceSpec {
  operatorVersion?: ObjectReference;
  parameters?: { [name: string]: string };
  /** Parameters whose values are in Secrets and ConfigMaps of the same namespace. KUDO has no such field. */
  parametersFrom?: ParameterSource[];
  planExecution?: PlanExecution;
}

/** Exactly one of the two references. */
export interface ParameterSource {
  /** Of the parameter. */
  name?: string;
  secretKeyRef?: KeySelector;
  configMapKeyRef?: KeySelector;
}

/** core/v1 SecretKeySelector and ConfigMapKeySelector. */
export interface KeySelector {
  name?: string;
  key?: string;
  optional?: boolean;
}

/** The plan that is scheduled or runs; an empty `planName` means idle. This field is the lock. */
export interface PlanExecution {
  planName?: string;
  uid?: string;
  status?: ExecutionStatus;
}

export interface InstanceStatus {
  planStatus?: { [plan: string]: PlanStatus };
  conditions?: Condition[];
  /** The results of declared health checks, in their order. KUDO has no such field. */
  healthChecks?: HealthCheckStatus[];
}

export interface PlanStatus {
  name?: string;
  status?: ExecutionStatus;
  message?: string;
  lastUpdatedTimestamp?: string | null;
  uid?: string;
  phases?: PhaseStatus[] | null;
}

export interface PhaseStatus {
  name?: string;
  status?: ExecutionStatus;
  message?: string;
  steps?: StepStatus[] | null;
}

export interface StepStatus {
  name?: string;
  status?: ExecutionStatus;
  message?: string;
  /** When this execution began the step, RFC 3339; gone when the step is over. KUDO has no such field. */
  startedTimestamp?: string;
}

/** meta/v1 Condition. */
export interface Condition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  reason: string;
  message: string;
  lastTransitionTime: string;
  observedGeneration?: number;
}
