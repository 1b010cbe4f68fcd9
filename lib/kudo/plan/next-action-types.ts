import type { JudgeStart } from '@/lib/kudo/admission/admission-decision';
import type { QueuedPlan } from '@/lib/kudo/queue/enqueue';
import type { QueueEntry } from '@/lib/kudo/queue/run-queue';
import type { Fingerprinter } from '@/lib/kudo/secrets/fingerprint';
import type { SourceReads } from '@/lib/kudo/sources/source-values';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import type { ExtraCondition } from './conditions';
import type { Scheduled } from './scheduled';

/**
 * What the controller does next with an Instance.
 *
 * - `rest`: nothing runs and nothing is asked for.
 * - `start`: write `instance` (plan scheduled under `scheduled`, finalizer, what was acted upon), then run it.
 * - `enqueue`: write `instance` with these plans at the end of its queue; none when only the queue is to be tidied.
 * - `continue`: run the scheduled execution on; `pending` is an edit that waits for its end, or is refused.
 * - `clear`: that execution has ended; empty `planExecution`, and tell what it left.
 * - `abandon`: a person wrote a terminal status over a running execution (T-09); tidy its status, then clear.
 * - `restore`: what was asked for is refused; put `planExecution` back to what it was and say why.
 * - `refuse`: an edit is refused; leave it, say why, change nothing.
 * - `record`: nothing to run; write down what counts as acted upon from now on.
 * - `release`: take our finalizer off.
 * - `blocked`: something is needed and does not exist: the OperatorVersion, unless `reason` says what else.
 *
 * Instances in it may hold values that exist for comparison alone (`withSources`); nobody sends them like that.
 */
export type NextAction =
  | {
      readonly do: 'rest';
      /** Why the runs that wait do not start, as a sentence. */
      readonly held?: string;
    }
  | {
      readonly do: 'enqueue';
      readonly instance: Instance;
      readonly plans: readonly QueuedPlan[];
      /** True when the plan itself was asked for, not an edit. */
      readonly isAsked: boolean;
    }
  | {
      readonly do: 'start';
      readonly scheduled: Scheduled;
      readonly instance: Instance;
      readonly warnings: readonly string[];
      /** It begins with what was acted upon before: the edit beside it means another plan and waits. */
      readonly keepsInputs?: boolean;
      /** The run that waited and starts now. */
      readonly entry?: QueueEntry;
      /** Plans that wait for it. */
      readonly after?: readonly QueuedPlan[];
    }
  | { readonly do: 'continue'; readonly scheduled: Scheduled; readonly pending?: ExtraCondition }
  | { readonly do: 'clear'; readonly scheduled: Scheduled }
  | { readonly do: 'abandon'; readonly scheduled: Scheduled; readonly status: 'COMPLETE' | 'FATAL_ERROR' }
  | { readonly do: 'restore'; readonly scheduled: Scheduled | undefined; readonly message: string }
  | { readonly do: 'refuse'; readonly message: string }
  | { readonly do: 'record' }
  | { readonly do: 'release' }
  | { readonly do: 'blocked'; readonly message: string; readonly reason?: 'DependencyMissing' | 'ChangeRefused' };

export interface NextActionInput {
  readonly instance: Instance;
  /** The version that the Instance refers to now. */
  readonly operatorVersion: OperatorVersion | undefined;
  /** The version that was acted upon last; the same one unless the reference was changed. */
  readonly actedUponVersion: OperatorVersion | undefined;
  /** The UUID of an execution that begins now. */
  readonly newUid: string;
  readonly fingerprints: Fingerprinter;
  /** What the sources of its parameters hold; those that are missing here count as unchanged. */
  readonly reads?: SourceReads;
  /** Preconditions are not judged when absent. */
  readonly judge?: JudgeStart | undefined;
  /** Wall time, ms. Locks are not judged when absent. */
  readonly nowMs?: number | undefined;
}
