import { ConflictError, TerminalError } from '@/lib/errors/errors';
import { type JsonObject, stringAt } from '@/lib/json/json';
import { planForChange, withEdit } from '@/lib/kudo/admission/triggers';
import { gateWishes, requestAnnotations } from '@/lib/kudo/runs/run-request';
import { placeEdit } from '@/lib/kudo/sources/place-edit';
import { topics } from '@/lib/live/topic';
import { type Random, randomUuid } from '@/lib/random/random';
import type { Api } from '@/server/kube/api';
import { specPatch } from '@/server/parameters/spec-patch';
import { writeSecretKeys } from '@/server/parameters/write-secret';
import { previewChange } from '@/server/preconditions/preview-change';
import { changeParameters, checkFields } from './change-parameters';
import { confirmedAnnotations } from './check-confirmation';
import type { PlanStartRequest } from './parse-edit';
import { type InstanceKey, readInstance, type StoredInstance } from './read-instance';

/** The controller writes the Instance often while a plan runs, so that some writes conflict. */
const ATTEMPTS = 5;

export interface PlanStarted {
  /** The UID of the new run; undefined when it waits, and when an edit starts it that no admission webhook decided upon. */
  readonly uid: string | undefined;
  /** True when the plan waits for another one. */
  readonly isQueued?: boolean;
}

/**
 * Schedules a plan through `spec.planExecution`, as `kubectl kudo plan trigger` does, with the values of parameters that the plan asks
 * for in the same write. The write carries the resourceVersion of the Instance that was checked. Values whose edit starts this plan by
 * itself are sent as an edit.
 *
 * @throws TerminalError `Invalid` when the plan may not start now, `NotFound` without such an Instance; Refusal 422 when it was not confirmed
 */
export async function triggerPlan(
  api: Api,
  key: InstanceKey,
  start: PlanStartRequest,
  random: Random,
): Promise<PlanStarted> {
  const { plan, parameters = {}, confirm, wishes = {} } = start;
  for (let attempt = 1; ; attempt++) {
    const stored = await readInstance(api, key);
    const { instance, operatorVersion } = stored;
    checkFields(operatorVersion, { parameters });
    const byEdit = planForChange(instance, operatorVersion, { parameters });
    if (byEdit.plan === plan) {
      const confirmed = confirm === undefined ? {} : { confirm };
      const { uid } = await changeParameters(api, key, { parameters, seen: {}, wishes, ...confirmed });
      return { uid, isQueued: byEdit.outcome === 'queues' };
    }
    const preview = await previewChange(api, instance, operatorVersion, {
      plan,
      parameters,
      ...gateWishes(wishes),
    });
    if (preview.outcome === 'refused') throw new TerminalError(preview.message ?? 'The plan is refused.', 'Invalid');
    const annotations = { ...confirmedAnnotations(preview, confirm), ...requestAnnotations(plan, wishes) };
    const uid = randomUuid(random);
    const patch = await patchOf(api, key, stored, parameters);
    try {
      const written = await api.patch({ ...topics.instances, ...key }, 'merge', {
        metadata: { ...patch.metadata, annotations },
        spec: { ...patch.spec, planExecution: { planName: plan, uid, status: 'NEVER_RUN' } },
      });
      if (preview.outcome === 'queues') return { uid: undefined, isQueued: true };
      // The admission webhook may have set another uid, as KUDO's does.
      return { uid: stringAt(written, 'spec', 'planExecution', 'uid') ?? uid };
    } catch (error) {
      if (!(error instanceof ConflictError) || attempt === ATTEMPTS) throw error;
    }
  }
}

/** The patch of the parameters; secret values go into their Secret first. */
async function patchOf(
  api: Api,
  { namespace }: InstanceKey,
  { instance, operatorVersion }: StoredInstance,
  parameters: { readonly [name: string]: string | null },
): Promise<{ readonly metadata: JsonObject; readonly spec: JsonObject }> {
  const placed = placeEdit(instance, operatorVersion, { parameters });
  for (const [name, values] of Object.entries(placed.secrets)) {
    await writeSecretKeys(api, { namespace, name, owner: instance }, values);
  }
  const patch = specPatch(instance, placed, withEdit(instance, placed));
  const isEmpty = Object.keys(placed.parameters).length === 0;
  const { parameters: _, ...others } = patch.spec;
  return isEmpty ? { ...patch, spec: others } : patch;
}
