import type { QueuedPlan } from '@/lib/kudo/queue/enqueue';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';

/**
 * One decision, three doors: what becomes of a create or an update of an Instance. The admission webhook answers with it,
 * the controller catches up with it on what no webhook saw, and the console asks it before the click.
 * (KUDO pkg/webhook/instance_admission.go. Where we differ, docs/compatibility.md says why.)
 */
export interface InstanceWrite {
  readonly operation: 'CREATE' | 'UPDATE';
  /** UPDATE only. */
  readonly old?: Instance | undefined;
  readonly new: Instance;
  /** The OperatorVersion that `old` refers to; undefined when it does not exist. */
  readonly oldOperatorVersion?: OperatorVersion | undefined;
  readonly newOperatorVersion?: OperatorVersion | undefined;
  /** The UUID that a plan gets when the decision starts one. */
  readonly newUid: string;
  /** The Instance whose edits were decided about already: a parameter with the same value there asks for no plan. */
  readonly decided?: Instance | undefined;
  /** Preconditions are not judged when absent. */
  readonly judge?: JudgeStart | undefined;
  /** Whether who sends it may start a destructive plan, also one that waits in the queue first; not judged when absent. */
  readonly judgeAuthor?: JudgeStart | undefined;
  /** Wall time, ms. Locks are not judged when absent. */
  readonly nowMs?: number | undefined;
}

/**
 * Why the preconditions of a plan that would start do not hold, as a sentence without its full stop; undefined when they do. Who
 * asks for a decision gives it, because preconditions look at objects of the cluster (plan-metadata/judge-preconditions.ts).
 */
export type JudgeStart = (start: {
  readonly plan: string;
  readonly instance: Instance;
  readonly operatorVersion: OperatorVersion;
}) => string | undefined;

/**
 * - `allowed`: as it was sent.
 * - `allowed-with`: `instance` is to be stored instead.
 * - `denied` (code 403): `message` says why.
 * - `error` (code 500): the OperatorVersion that is needed to decide does not exist.
 */
export interface AdmissionDecision {
  readonly outcome: 'allowed' | 'allowed-with' | 'denied' | 'error';
  readonly instance?: Instance;
  readonly message?: string;
  readonly code?: number;
  /** The plan that the request starts (or starts again); of a refusal by `confirm`, `lock` and `precondition` the one that it would start. */
  readonly plan?: string;
  /** Plans that wait for the one that starts or is in progress, in their order; `enqueue` puts them on the Instance. */
  readonly queued?: readonly QueuedPlan[];
  /** The plan without progress whose place that plan takes, when it is another one. */
  readonly supersedes?: string;
  /** Which rule decided, for tests and records: `D1`…`D4`, `N1`…`N14`, `check1`…`check5`, `confirm`, `lock`, `author`, `precondition`, `create`, `metadata`, `status`. */
  readonly rule: string;
  /** What the person should know although it is allowed. */
  readonly warnings?: readonly string[];
}
