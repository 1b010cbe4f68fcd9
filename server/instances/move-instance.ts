import { ConflictError, TerminalError } from '@/lib/errors/errors';
import type { VersionChangeRequest } from '@/lib/kudo/package/catalogue';
import { gateWishes, requestAnnotations } from '@/lib/kudo/runs/run-request';
import { parameterSourceOf } from '@/lib/kudo/sources/parameter-source';
import type { OperatorVersion } from '@/lib/kudo/types';
import { topics } from '@/lib/live/topic';
import type { Api } from '@/server/kube/api';
import { specPatch } from '@/server/parameters/spec-patch';
import { previewChange } from '@/server/preconditions/preview-change';
import { confirmedAnnotations } from './check-confirmation';
import { executionBegun } from './execution-begun';
import { type InstanceKey, readInstance } from './read-instance';

const ATTEMPTS = 5;

/**
 * Moves an Instance to another OperatorVersion of its namespace, with new values of parameters: the first of the plans upgrade, update
 * and deploy runs.
 *
 * @returns the plan that starts, and the UID of its execution where that is known
 * @throws TerminalError `Invalid` when the move is refused, `NotFound` without such a version
 */
export async function moveInstance(
  api: Api,
  key: InstanceKey,
  { operatorVersion: versionName, parameters, confirm, ...wishes }: VersionChangeRequest,
): Promise<{ plan: string | undefined; uid?: string | undefined }> {
  const target = { ...topics.operatorVersions, namespace: key.namespace, name: versionName };
  const operatorVersion = versionName === '' ? undefined : ((await api.get(target)) as OperatorVersion | undefined);
  if (operatorVersion === undefined) {
    throw new TerminalError(`OperatorVersion ${versionName} does not exist in namespace ${key.namespace}.`, 'NotFound');
  }
  for (let attempt = 1; ; attempt++) {
    const stored = await readInstance(api, key);
    const edit = { operatorVersion, parameters, ...gateWishes(wishes) };
    const preview = await previewChange(api, stored.instance, stored.operatorVersion, edit);
    if (preview.outcome === 'refused')
      throw new TerminalError(preview.message ?? 'The change of the version is refused.', 'Invalid');
    const said = requestAnnotations(preview.plan, wishes);
    const annotations = { ...confirmedAnnotations(preview, confirm), ...said };
    // A value replaces the source that the parameter had.
    const replaced = Object.keys(parameters).filter(
      (name) => parameterSourceOf(stored.instance.spec, name) !== undefined,
    );
    const sources = Object.fromEntries(replaced.map((name) => [name, null]));
    const patch = specPatch(stored.instance, { parameters, sources }, preview.instance);
    try {
      const written = await api.patch({ ...topics.instances, ...key }, 'merge', {
        metadata: { ...patch.metadata, annotations },
        spec: { ...patch.spec, operatorVersion: { name: versionName } },
      });
      return { plan: preview.plan, uid: executionBegun(stored.instance, written) };
    } catch (error) {
      if (!(error instanceof ConflictError) || attempt === ATTEMPTS) throw error;
    }
  }
}
