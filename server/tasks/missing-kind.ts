import { BlockedError } from '@/lib/errors/errors';
import { nameOf } from '@/lib/kube/object';
import type { TaskOutcome } from '@/lib/kudo/plan/pass';
import type { DefinedKind } from '@/lib/kudo/rendering/defined-kinds';

/**
 * How long a task waits for a kind that is not served yet (longer when the step's deadline says so): another operator that is
 * being installed may bring its definition. KUDO ended the plan at once (APL-07).
 */
const PATIENCE_MS = 20_000;

/** The cluster does not serve the kind of an object. */
export class MissingKindError extends BlockedError {
  /** @param defined the definition in the same task, which serves the kind in other versions */
  constructor({ kind, apiVersion }: { readonly kind: string; readonly apiVersion: string }, defined?: DefinedKind) {
    super(`the cluster does not know the kind ${kind} in ${apiVersion}; ${adviceFor(defined)}`, 'TaskEnhancementError');
  }
}

function adviceFor(defined: DefinedKind | undefined): string {
  if (defined === undefined) return 'install its CustomResourceDefinition, or fix the template';
  const { definition, versions } = defined;
  return `${nameOf(definition)} in the same task serves it in ${versions.join(', ') || 'no version'}: fix one of the two`;
}

/** The task waits for the kind, for a limited time. */
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
