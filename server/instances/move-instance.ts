import { ConflictError, TerminalError } from '@/lib/errors/errors';
import { planForChange } from '@/lib/kudo/admission/triggers';
import { parameterSourceOf } from '@/lib/kudo/sources/parameter-source';
import type { OperatorVersion } from '@/lib/kudo/types';
import { topics } from '@/lib/live/topic';
import type { Api } from '@/server/kube/api';
import { specPatch } from '@/server/parameters/spec-patch';
import { type InstanceKey, readInstance } from './read-instance';

const ATTEMPTS = 5;

/**
 * Moves an Instance to another OperatorVersion of its namespace, with new values of parameters: the first of the plans upgrade, update
 * and deploy runs.
 *
 * @returns the plan that starts
 * @throws TerminalError `Invalid` when the move is refused, `NotFound` without such a version
 */
export async function moveInstance(
  api: Api,
  key: InstanceKey,
  versionName: string,
  parameters: { readonly [name: string]: string | null } = {},
): Promise<{ plan: string | undefined }> {
  const target = { ...topics.operatorVersions, namespace: key.namespace, name: versionName };
  const operatorVersion = versionName === '' ? undefined : ((await api.get(target)) as OperatorVersion | undefined);
  if (operatorVersion === undefined) {
    throw new TerminalError(`OperatorVersion ${versionName} does not exist in namespace ${key.namespace}.`, 'NotFound');
  }
  for (let attempt = 1; ; attempt++) {
    const stored = await readInstance(api, key);
    const preview = planForChange(stored.instance, stored.operatorVersion, { operatorVersion, parameters });
    if (preview.outcome === 'refused')
      throw new TerminalError(preview.message ?? 'The change of the version is refused.', 'Invalid');
    // A value replaces the source that the parameter had.
    const replaced = Object.keys(parameters).filter(
      (name) => parameterSourceOf(stored.instance.spec, name) !== undefined,
    );
    const sources = Object.fromEntries(replaced.map((name) => [name, null]));
    const patch = specPatch(stored.instance, { parameters, sources }, preview.instance);
    try {
      await api.patch({ ...topics.instances, ...key }, 'merge', {
        ...patch,
        spec: { ...patch.spec, operatorVersion: { name: versionName } },
      });
      return { plan: preview.plan };
    } catch (error) {
      if (!(error instanceof ConflictError) || attempt === ATTEMPTS) throw error;
    }
  }
}
