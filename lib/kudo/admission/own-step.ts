import { jsonEqual } from '@/lib/json/json';
import { nextAction } from '@/lib/kudo/plan/next-action';
import type { NextAction } from '@/lib/kudo/plan/next-action-types';
import type { Fingerprinter } from '@/lib/kudo/secrets/fingerprint';
import type { Instance, OperatorVersion, PlanExecution } from '@/lib/kudo/types';

export interface OwnStepInput {
  readonly stored: Instance;
  readonly sent: Instance;
  /** The version that the stored Instance refers to. */
  readonly storedVersion: OperatorVersion | undefined;
  /** The version that was acted upon last. */
  readonly actedUponVersion: OperatorVersion | undefined;
  readonly fingerprints: Fingerprinter;
  /** Wall time, ms: a lock holds the controller's steps too. */
  readonly nowMs?: number | undefined;
}

/**
 * True when an update is exactly the step that the controller would take next with the stored Instance. Such a step was
 * decided by the same function, so it passes without a second decision, whoever sends it: nobody gains anything by sending
 * it that would not happen by itself a moment later. That is why the webhook needs to know neither who the controller is
 * nor a secret of it (KUDO could be refused by its own webhook, T-17).
 */
export function isOwnStep({ stored, sent, storedVersion, ...known }: OwnStepInput): boolean {
  const uid = sent.spec?.planExecution?.uid ?? '';
  const action = nextAction({ instance: stored, operatorVersion: storedVersion, newUid: uid, ...known });
  const wanted = specAfter(stored, action);
  if (wanted === undefined) return false;
  return jsonEqual(withoutExecution(wanted), withoutExecution(sent.spec)) && fits(wanted.planExecution, sent);
}

/** `spec` as the action leaves it; undefined for an action that does not write it. */
function specAfter(stored: Instance, action: NextAction): Instance['spec'] {
  switch (action.do) {
    case 'start':
      return { ...action.instance.spec, planExecution: { planName: action.scheduled.plan, uid: action.scheduled.uid } };
    case 'enqueue':
      return action.instance.spec;
    case 'clear':
      return { ...stored.spec, planExecution: {} };
    case 'restore': {
      const { scheduled } = action;
      const planExecution = scheduled === undefined ? {} : { planName: scheduled.plan, uid: scheduled.uid };
      return { ...stored.spec, planExecution };
    }
    default:
      return undefined;
  }
}

/** The status in `planExecution` is a report here, never a request. */
function fits(wanted: PlanExecution | undefined, sent: Instance): boolean {
  const { planName = '', uid = '' } = sent.spec?.planExecution ?? {};
  return planName === (wanted?.planName ?? '') && uid === (wanted?.uid ?? '') && (planName === '') === (uid === '');
}

function withoutExecution(spec: Instance['spec']): unknown {
  const { planExecution: _, ...rest } = spec ?? {};
  return rest;
}
