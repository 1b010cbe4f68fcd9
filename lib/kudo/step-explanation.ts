import type { Health } from '@/lib/kube/health/verdict';

/** Why a step does not end: object → pod → event → last log lines, gathered in one place. */
export interface StepExplanation {
  readonly objects: readonly ExplainedObject[];
  readonly pods: readonly ExplainedPod[];
  /** Warnings about these objects and pods, newest first. */
  readonly events: readonly ExplainedEvent[];
}

export interface ExplainedObject {
  readonly kind: string;
  readonly name: string;
  readonly health: Health;
}

export interface ExplainedPod {
  readonly name: string;
  readonly health: Health;
  readonly container: string;
  /** The last lines of the container's log; empty when there is none. */
  readonly logLines: readonly string[];
  /** Why there are no lines, when they could not be read. */
  readonly logProblem: string | undefined;
}

export interface ExplainedEvent {
  readonly object: string;
  readonly reason: string;
  readonly message: string;
  /** RFC 3339, or the empty string. */
  readonly at: string;
  readonly count: number;
}
