import { BlockedError } from '@/lib/errors/errors';
import type { TaskOutcome } from '@/lib/kudo/plan/pass';

/**
 * A kind that is not served yet is waited for so long (or as long as the step's deadline says): its definition may come
 * with another operator that is installed just now. KUDO ended the plan at once (APL-07); an unknown kind ends it still.
 */
const PATIENCE_MS = 20_000;

/** The cluster does not serve the kind of an object. */
export class MissingKindError extends BlockedError {
  constructor({ kind, apiVersion }: { readonly kind: string; readonly apiVersion: string }) {
    super(
      `the cluster does not know the kind ${kind} in ${apiVersion}; install what defines it, or mend the template`,
      'TaskEnhancementError',
    );
  }
}

/** Waiting for the kind, for a while. */
export function missingKindOutcome(error: MissingKindError): TaskOutcome {
  const what = `waits for a kind: ${error.message}`;
  const { reason, message } = error;
  return {
    state: 'waiting',
    messages: [what],
    waits: [{ what, sign: 'trouble' }],
    patience: { ms: PATIENCE_MS, reason, message },
  };
}
