import { TerminalError } from '@/lib/errors/errors';
import { nameOf } from '@/lib/kube/object';
import { planForChange } from '@/lib/kudo/admission/triggers';
import { CONFIRM_ANNOTATION } from '@/lib/kudo/names';
import type { Instance } from '@/lib/kudo/types';
import { systemRandom } from '@/lib/random/random';
import { Refusal } from '@/server/http/problem';
import type { PlanStartRequest } from '@/server/instances/parse-edit';
import { triggerPlan } from '@/server/instances/trigger-plan';
import { previewChange } from '@/server/preconditions/preview-change';
import { type ConfirmFlags, confirmationFor } from '../support/confirm';
import { getOperatorVersion } from '../support/instances';
import type { ClusterSession } from '../support/session';

/**
 * Starts a plan that a run or the queue names; asks for the confirmation of a destructive one.
 *
 * @throws TerminalError that names each value that is not valid, and why the plan cannot start
 */
export async function startAgain(
  session: ClusterSession,
  instance: Instance,
  request: PlanStartRequest,
  flags: ConfirmFlags,
): Promise<void> {
  const { api, namespace } = session;
  const { plan, parameters = {} } = request;
  const name = nameOf(instance);
  const operatorVersion = await getOperatorVersion(session, instance);
  // As the start decides: an edit may start the plan by itself.
  const isEdit = planForChange(instance, operatorVersion, { parameters }).plan === plan;
  const edit = isEdit ? { parameters } : { plan, parameters };
  const preview = await previewChange(api, instance, operatorVersion, edit);
  const { [CONFIRM_ANNOTATION]: confirm } = await confirmationFor(preview, operatorVersion, flags);
  const confirmed = typeof confirm === 'string' ? { confirm } : {};
  try {
    await triggerPlan(api, { namespace, name }, { ...request, ...confirmed }, systemRandom);
  } catch (error) {
    if (!(error instanceof TerminalError)) throw error;
    const causes = error instanceof Refusal ? error.causes.map(({ message }) => message) : [];
    const why = causes.length === 0 ? error.message : causes.join(' ');
    throw new TerminalError(`failed to trigger plan ${plan} of instance ${namespace}/${name}: ${why}`, 'Denied');
  }
}
