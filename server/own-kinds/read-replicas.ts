import { numberAt } from '@/lib/json/json';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { INSTANCE_LABEL } from '@/lib/kudo/names';
import type { Replicas } from '@/lib/kudo/own-kinds/instance-state';
import type { OwnKindDeps } from './own-kind-deps';

/** The pods that the Deployments and StatefulSets of the Instance of a resource want, and those that are ready. */
export function readReplicas({ watches }: OwnKindDeps, resource: KubeObject): Replicas {
  const workloads = (['deployments', 'statefulsets'] as const).flatMap(
    (name) => watches.workloads.get(name)?.list(namespaceOf(resource)) ?? [],
  );
  const own = workloads.filter(({ metadata }) => metadata.labels?.[INSTANCE_LABEL] === nameOf(resource));
  const sum = (read: (object: KubeObject) => number) => own.reduce((total, each) => total + read(each), 0);
  return {
    replicas: sum((each) => numberAt(each.spec, 'replicas') ?? 1),
    readyReplicas: sum((each) => numberAt(each.status, 'readyReplicas') ?? 0),
  };
}
