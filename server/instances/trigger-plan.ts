import { ConflictError, TerminalError } from '@/lib/errors/errors';
import { stringAt } from '@/lib/json/json';
import { planForChange } from '@/lib/kudo/admission/triggers';
import { topics } from '@/lib/live/topic';
import { type Random, randomUuid } from '@/lib/random/random';
import type { Api } from '@/server/kube/api';
import { type InstanceKey, readInstance } from './read-instance';

/** The controller writes the Instance often while a plan runs, so that some writes conflict. */
const ATTEMPTS = 5;

/**
 * Schedules a plan through `spec.planExecution`, as `kubectl kudo plan trigger` does. The write carries the resourceVersion of the
 * Instance that was checked.
 *
 * @returns the UID of the new run
 * @throws TerminalError `Invalid` when the plan may not start now, `NotFound` without such an Instance
 */
export async function triggerPlan(api: Api, key: InstanceKey, plan: string, random: Random): Promise<{ uid: string }> {
  for (let attempt = 1; ; attempt++) {
    const { instance, operatorVersion } = await readInstance(api, key);
    const preview = planForChange(instance, operatorVersion, { plan });
    if (preview.outcome === 'refused') throw new TerminalError(preview.message ?? 'The plan is refused.', 'Invalid');
    const uid = randomUuid(random);
    const { resourceVersion } = instance.metadata;
    try {
      const written = await api.patch({ ...topics.instances, ...key }, 'merge', {
        metadata: resourceVersion === undefined ? {} : { resourceVersion },
        spec: { planExecution: { planName: plan, uid, status: 'NEVER_RUN' } },
      });
      // The admission webhook may have set another uid, as KUDO's does.
      return { uid: stringAt(written, 'spec', 'planExecution', 'uid') ?? uid };
    } catch (error) {
      if (!(error instanceof ConflictError) || attempt === ATTEMPTS) throw error;
    }
  }
}
