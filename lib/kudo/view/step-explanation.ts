import type { Health } from '@/lib/kube/health/verdict';

/** What keeps a step from its end, read from the live objects: the objects of the step, their pods, events and logs. */
export interface StepExplanation {
  /** Objects that are not healthy; all objects of the step when every one is healthy. */
  readonly objects: readonly ExplainedObject[];
  /** Pods of these objects that are not healthy, the newest first; at most three. */
  readonly pods: readonly ExplainedPod[];
  /** The number of all pods of these objects that are not healthy. */
  readonly unhealthyPods: number;
  /** Warnings about these objects and pods, the newest first. */
  readonly events: readonly ExplainedEvent[];
}

export interface ExplainedObject {
  readonly kind: string;
  readonly name: string;
  readonly health: Health;
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
