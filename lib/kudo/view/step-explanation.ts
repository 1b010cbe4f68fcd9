import type { Health } from '@/lib/kube/health/verdict';

/** What keeps a step from its end, read from the live objects: the objects of the step, their pods, events and logs. */
export interface StepExplanation {
  /** Objects that are not healthy; all objects of the step when every one is healthy. */
  readonly objects: readonly ExplainedObject[];
  /** Pods of these objects that are not healthy, the newest first; at most three. */
  readonly pods: readonly ExplainedPod[];
  /** The number of all pods of these objects that are not healthy. */
  readonly unhealthyPods: number;
  /** Claims of these pods that have no volume. */
  readonly claims: readonly PendingClaim[];
  /** Warnings about these objects, what they own, and these pods and claims; the newest first. */
  readonly events: readonly ExplainedEvent[];
}

/** A PersistentVolumeClaim without a volume. */
export interface PendingClaim {
  readonly name: string;
  /** Empty when it names none and the cluster has no default. */
  readonly storageClass: string;
}

/** Where there is nothing to read. */
export const NO_EVIDENCE: StepExplanation = { objects: [], pods: [], unhealthyPods: 0, claims: [], events: [] };

export interface ExplainedObject {
  readonly kind: string;
  readonly name: string;
  readonly health: Health;
  /** The finalizers of an object that is being deleted. */
  readonly heldBy?: readonly string[];
}

/** A pod that is not healthy, and the first of its containers that does not run. */
export interface ExplainedPod {
  readonly name: string;
  readonly health: Health;
  readonly container: string;
  /** The image of the container; empty when the pod names none. */
  readonly image: string;
  /** Why the container does not run, in the kubelet's or the scheduler's word (`ImagePullBackOff`); empty when none is given. */
  readonly reason: string;
  /** The sentence beside the reason; empty when there is none. */
  readonly message: string;
  /** With which exit code the container ended last; undefined when it did not end. */
  readonly exitCode: number | undefined;
  /** The last lines of the container's log; empty when there is none. */
  readonly logLines: readonly string[];
  /** Why there are no lines, when they could not be read. */
  readonly logProblem: string | undefined;
}

export interface ExplainedEvent {
  /** `Kind/name`. */
  readonly object: string;
  readonly reason: string;
  readonly message: string;
  /** RFC 3339, or the empty string. */
  readonly at: string;
  readonly count: number;
}
