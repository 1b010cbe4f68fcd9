import type { ExplainedEvent, ExplainedObject, ExplainedPod } from '@/lib/kudo/view/step-explanation';
import type { FailureCause } from './failure-explanation';

/** What a rule found: the cause, and the evidence for it. */
export interface FailureFinding {
  readonly cause: FailureCause;
  /** One sentence without its full stop. */
  readonly why: string;
  /** Whole sentences. */
  readonly advice: string;
  readonly object?: ExplainedObject | undefined;
  readonly pod?: ExplainedPod | undefined;
  readonly event?: ExplainedEvent | undefined;
  /** The line of the pod's log that says why. */
  readonly logLine?: string | undefined;
}

const MOST_CHARS = 400;

/** Words of the cluster without the space and full stop at their end, at most 400 characters. */
export function quoted(text: string): string {
  const plain = text.trim().replace(/\s+/g, ' ').replace(/\.$/, '');
  return plain.length <= MOST_CHARS ? plain : `${plain.slice(0, MOST_CHARS - 1)}…`;
}
