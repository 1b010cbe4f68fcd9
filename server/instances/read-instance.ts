import { TerminalError } from '@/lib/errors/errors';
import { operatorVersionKey } from '@/lib/kudo/names';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { topics } from '@/lib/live/topic';
import type { Api } from '@/server/kube/api';

/** The namespace and the name of an Instance. */
export interface InstanceKey {
  readonly namespace: string;
  readonly name: string;
}

/** An Instance as it is stored, with its OperatorVersion if that exists. */
export interface StoredInstance {
  readonly instance: Instance;
  readonly operatorVersion: OperatorVersion | undefined;
}

/**
 * Reads both from the API server, with the permissions of the person.
 *
 * @throws TerminalError `NotFound` when there is no such Instance, and whatever the API refuses
 */
export async function readInstance(api: Api, key: InstanceKey, signal?: AbortSignal): Promise<StoredInstance> {
  const options = signal === undefined ? {} : { signal };
  const instance = (await api.get({ ...topics.instances, ...key }, options)) as Instance | undefined;
  if (instance === undefined) {
    throw new TerminalError(`Instance ${key.name} does not exist in namespace ${key.namespace}.`, 'NotFound');
  }
  const versionKey = operatorVersionKey(instance);
  const operatorVersion =
    versionKey.name === ''
      ? undefined
      : ((await api.get({ ...topics.operatorVersions, ...versionKey }, options)) as OperatorVersion | undefined);
  return { instance, operatorVersion };
}
