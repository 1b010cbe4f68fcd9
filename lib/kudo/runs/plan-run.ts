import type { KubeObject } from '@/lib/kube/object';
import type { ExecutionStatus } from '@/lib/kudo/types';

/** The record of one execution of a plan (docs/decisions/070). */
export const PLAN_RUNS = { group: 'bravo.kudo.dev', version: 'v1alpha1', resource: 'planruns' } as const;
export const PLAN_RUN_API_VERSION = 'bravo.kudo.dev/v1alpha1';
/** On a PlanRun: the name of its Instance. KUDO's label says that an Instance owns an object, and it does not own its records. */
export const RUN_INSTANCE_LABEL = 'bravo.kudo.dev/instance';

/** Why an execution began. */
export const RUN_CAUSES = [
  'Create',
  'Parameters',
  'Version',
  'Manual',
  'Schedule',
  'Object',
  'Resource',
  'Waves',
  'Parent',
  'SelfHeal',
  'Retry',
] as const;
export type RunCause = (typeof RUN_CAUSES)[number];

/** KUDO's words, and two that only a run can be in. */
export const RUN_STATUSES = ['PENDING', 'IN_PROGRESS', 'Paused', 'COMPLETE', 'FATAL_ERROR', 'Cancelled'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

export interface PlanRun extends KubeObject {
  spec?: PlanRunSpec;
  status?: PlanRunStatus;
}

export interface PlanRunSpec {
  /** Of the Instance in the same namespace. */
  instanceName?: string;
  instanceUid?: string;
  plan?: string;
  /** Of the execution. */
  uid?: string;
  cause?: RunCause;
  /** The person: the user name that the API server gave, or `field manager NAME`. Absent when nobody can tell. */
  requestedBy?: string;
  /** The person's words. */
  reason?: string;
  /** The name of the PlanRun that this one repeats. */
  retryOf?: string;
  /** The name of the PlanRun whose parameters and version this one takes back. */
  undoOf?: string;
  paused?: boolean;
  cancelled?: boolean;
  /** The name of a phase: nothing after it begins while this is set. */
  stopAfter?: string;
  skip?: SkippedStep[];
}

export interface SkippedStep {
  phase?: string;
  step?: string;
  reason?: string;
}

export interface PlanRunStatus {
  status?: RunStatus;
  /** One sentence: why it is paused, how it failed, what a cancelled run left half done. */
  message?: string;
  /** RFC 3339. */
  startedAt?: string;
  finishedAt?: string;
  operatorVersion?: string;
  /** The version before, when it is another one. */
  operatorVersionBefore?: string;
  /** Parameters whose values this run brought about; secret ones by fingerprint. */
  changes?: RecordedChange[];
  phases?: RunPhase[];
  outputs?: RunOutput[];
  /** Whether the run applied what the preview with which it was started said; absent when it was started without one. */
  preview?: RunPreview;
  /** What people did with the run, oldest first. */
  steering?: SteeringEntry[];
  /** RFC 3339: since when no step may begin. */
  heldSince?: string;
  /** For how long the run was held before. */
  heldSeconds?: number;
  /** The Secret with manifests, diffs and logs. */
  recordName?: string;
  /** Its size. */
  recordBytes?: number;
  /** SHA-256 of what it says, 64 hex digits (`shown-record`). Absent when nobody can tell that a controller wrote it. */
  recordSha256?: string;
  /** By a controller, over what does not change after the end (`signed-run`). Absent until then, and of runs that are not signed. */
  signature?: RunSignature;
  /** RFC 3339: since when the Instance was seen to be gone. */
  instanceGoneAt?: string;
  /** What receivers are told of the run (docs/decisions/076), oldest first. */
  notices?: RunNotice[];
}

/** An Ed25519 signature. */
export interface RunSignature {
  /** SHA-256 of the public key (SubjectPublicKeyInfo, DER), 64 hex digits. */
  keyId?: string;
  /** 64 bytes, base64. */
  value?: string;
}

/** One result of a run, or one request of a PlanApproval, for one receiver. It waits to be sent while it has no outcome. */
export interface RunNotice {
  /** Which notice of which object: `Secret/NAMESPACE/NAME/NOTICE`. */
  target?: string;
  /** A status of the run, `Started`, or `ApprovalRequested`. */
  result?: string;
  /** RFC 3339: when it happened. */
  at?: string;
  /** `Failed`: refused, or not accepted in 24 hours. `Dropped`: too many waited, or it is not configured any more. */
  outcome?: NoticeOutcome;
  /** RFC 3339. */
  endedAt?: string;
}

export const NOTICE_OUTCOMES = ['Delivered', 'Failed', 'Dropped'] as const;
export type NoticeOutcome = (typeof NOTICE_OUTCOMES)[number];

export interface RunPreview {
  /** Of the preview, 16 hex digits. */
  digest?: string;
  matches?: boolean;
  /** What was applied otherwise, and why: `main/deploy: ConfigMap x: …`. Absent when it matches. */
  differs?: string[];
}

export interface RunPhase {
  name?: string;
  status?: ExecutionStatus;
  message?: string;
  steps?: RunStep[];
}

export interface RunStep {
  name?: string;
  status?: ExecutionStatus;
  message?: string;
  /** RFC 3339. */
  startedAt?: string;
  finishedAt?: string;
  seconds?: number;
  /** Absent when the first one was enough. */
  attempts?: number;
}

export interface SteeringEntry {
  /** RFC 3339. */
  at?: string;
  /** `Paused`, `Resumed`, `Cancelled`, `Skipped`, `StopAfter`, `Retried`, `LockBroken`, `Approved`. */
  event?: string;
  by?: string;
  message?: string;
}

export interface RecordedChange {
  name?: string;
  /** Absent when the parameter had no value of its own. */
  before?: string;
  after?: string;
  secret?: boolean;
}

/** What a Job of the run said in its termination message. */
export interface RunOutput {
  /** `backup` and `backup-deleted` make the list of backups; other types are shown as they are. */
  type?: string;
  name?: string;
  /** Bytes. */
  size?: number;
  /** RFC 3339. */
  createdAt?: string;
  target?: string;
  verified?: boolean;
}

/** True for a run of which nothing will change any more. */
export function isOver(status: RunStatus | undefined): boolean {
  return status === 'COMPLETE' || status === 'FATAL_ERROR' || status === 'Cancelled';
}
