import { ConflictError, TerminalError } from '@/lib/errors/errors';
import { withEdit } from '@/lib/kudo/admission/triggers';
import { inlineSecrets, parametersSecret, placeEdit } from '@/lib/kudo/sources/place-edit';
import { topics } from '@/lib/live/topic';
import { type InstanceKey, readInstance } from '@/server/instances/read-instance';
import type { Api } from '@/server/kube/api';
import { specPatch } from './spec-patch';
import { writeSecretKeys } from './write-secret';

const ATTEMPTS = 5;

/**
 * Moves the values of secret parameters out of an Instance into its Secret, with the person's own authority. The values stay
 * the same, so no plan runs.
 *
 * @returns the names of the parameters that were moved
 * @throws TerminalError `NothingToMove`; Refusal 403 when the person may not write the Secret
 */
export async function moveToSecret(api: Api, key: InstanceKey): Promise<{ secret: string; moved: readonly string[] }> {
  for (let attempt = 1; ; attempt++) {
    const { instance, operatorVersion } = await readInstance(api, key);
    const moved = inlineSecrets(instance, operatorVersion);
    if (moved.length === 0) throw new TerminalError('No secret parameter is stored in the instance.', 'NothingToMove');
    const own = instance.spec?.parameters ?? {};
    const parameters = Object.fromEntries(moved.map((name) => [name, own[name] ?? '']));
    const placed = placeEdit(instance, operatorVersion, { parameters });
    for (const [name, values] of Object.entries(placed.secrets)) {
      await writeSecretKeys(api, { namespace: key.namespace, name, owner: instance }, values);
    }
    try {
      await api.patch(
        { ...topics.instances, ...key },
        'merge',
        specPatch(instance, placed, withEdit(instance, placed)),
      );
      return { secret: parametersSecret(key.name), moved };
    } catch (error) {
      if (!(error instanceof ConflictError) || attempt === ATTEMPTS) throw error;
    }
  }
}
