import type { AdmissionDecision } from '@/lib/kudo/admission/admission-decision';
import type { Instance } from '@/lib/kudo/types';
import type { NextAction } from './next-action-types';
import type { Scheduled } from './scheduled';

/** The plan that starts now, with what the decision about it says besides. */
export function startAction(
  instance: Instance,
  scheduled: Scheduled,
  { warnings = [], queued }: Pick<AdmissionDecision, 'warnings' | 'queued'> = {},
): NextAction {
  return { do: 'start', scheduled, instance, warnings, ...(queued === undefined ? {} : { after: queued }) };
}

/** Nothing can be decided until the OperatorVersion exists. */
export function blockedAction(instance: Instance): NextAction {
  const { name = '' } = instance.spec?.operatorVersion ?? {};
  const message =
    name === ''
      ? 'The Instance names no OperatorVersion.'
      : `OperatorVersion ${name} does not exist; the Instance waits for it.`;
  return { do: 'blocked', message };
}
