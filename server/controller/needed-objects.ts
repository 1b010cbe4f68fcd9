import { namespaceOf } from '@/lib/kube/object';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { liveValuesByTask } from '@/lib/kudo/live-values/live-values';
import { nameRead } from '@/lib/kudo/live-values/named-read';
import { apiOf } from '@/lib/kudo/own-kinds/stored-api';
import { referenceOf, referenceParameters } from '@/lib/kudo/references/reference-parameter';
import { sourcesOf } from '@/lib/kudo/sources/parameter-source';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import type { KindIndex } from '@/server/kube/kinds';
import { SOURCE_RESOURCES } from '@/server/parameters/read-sources';
import type { WatchedObject } from './object-watches';

const RESOURCES = {
  Instance: INSTANCES,
  Secret: { group: '', version: 'v1', resource: SOURCE_RESOURCES.Secret },
  ConfigMap: { group: '', version: 'v1', resource: SOURCE_RESOURCES.ConfigMap },
} as const;

/**
 * The objects that an Instance needs and does not own: sources of its parameters, what its parameters name, what its tasks read, and what the status of its
 * own kind sees. An object of a kind that is not
 * known yet is left out; a plan that waits for it looks again within a minute.
 */
export function neededObjects(
  instance: Instance,
  operatorVersion: OperatorVersion | undefined,
  kinds: Pick<KindIndex, 'known'>,
): WatchedObject[] {
  const namespace = namespaceOf(instance);
  const sources = sourcesOf(instance.spec).map(({ kind, name }) => ({
    ...{ group: '', version: 'v1', resource: SOURCE_RESOURCES[kind] },
    namespace,
    name,
  }));
  if (operatorVersion === undefined) return sources;
  const ofTasks = Object.values(liveValuesByTask(operatorVersion)).flatMap((task) => task.reads);
  const ofKinds = apiOf(operatorVersion).flatMap(({ objects = [] }) => objects);
  const reads = [...ofTasks, ...ofKinds];
  const references = referenceParameters(operatorVersion).flatMap((parameter) => {
    const target = referenceOf(parameter, { instance, operatorVersion });
    return target === undefined ? [] : [{ ...RESOURCES[target.kind], namespace: target.namespace, name: target.name }];
  });
  return [
    ...sources,
    ...references,
    ...reads.flatMap((read) => {
      const named = nameRead(read, { instance, operatorVersion });
      const type = 'problem' in named ? undefined : kinds.known(read.apiVersion, read.kind);
      if ('problem' in named || type === undefined) return [];
      const { group, version, resource, namespaced } = type;
      return [{ group, version, resource, name: named.name, ...(namespaced ? { namespace: named.namespace } : {}) }];
    }),
  ];
}
