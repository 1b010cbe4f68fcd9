import { type KubeObject, kindOf, nameOf, namespaceOf } from '@/lib/kube/object';
import type { Watches, WorkloadName } from './watches';

/**
 * False when an object that was written or read earlier has probably changed since. An object with a status is changed by its own
 * controller: of such only a watched copy with the same resourceVersion says that it has not.
 */
export function mayBeCurrent({ workloads }: Pick<Watches, 'workloads'>, object: KubeObject): boolean {
  const name = WATCHED.get(`${kindOf(object).group}/${object.kind}`);
  if (name === undefined) return object.status === undefined;
  const watched = workloads.get(name)?.get(namespaceOf(object), nameOf(object));
  return watched?.metadata.resourceVersion === object.metadata.resourceVersion;
}

const WATCHED: ReadonlyMap<string, WorkloadName> = new Map([
  ['apps/Deployment', 'deployments'],
  ['apps/StatefulSet', 'statefulsets'],
  ['apps/ReplicaSet', 'replicasets'],
  ['apps/DaemonSet', 'daemonsets'],
  ['batch/Job', 'jobs'],
  ['/Pod', 'pods'],
  ['/Service', 'services'],
]);
