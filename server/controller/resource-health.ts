import { stringAt } from '@/lib/json/json';
import { healthSentence, kubeHealthOf } from '@/lib/kube/health/health';
import { podTrouble } from '@/lib/kube/health/pod';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import { INSTANCE_LABEL, PIPE_POD_ANNOTATION } from '@/lib/kudo/names';
import type { Cache } from '@/server/kube/cache';
import type { WorkloadName } from './watches';

/** The watched copies of workloads that health needs. */
interface Watched {
  readonly workloads: ReadonlyMap<WorkloadName, Pick<Cache, 'list'>>;
}

const COUNTED: readonly WorkloadName[] = ['deployments', 'statefulsets', 'replicasets', 'daemonsets', 'pods'];

/**
 * What is wrong with the workloads of an Instance, a sentence each, in KUDO's order of kinds. Succeeded pods are healthy (KUDO: an
 * Instance was never ready again after a Job, T-06); DaemonSets and ReplicaSets count (KUDO: never). `failures`: reasons from Events.
 */
export function resourceProblems(
  watches: Watched,
  namespace: string,
  instance: string,
  failures: ReadonlyMap<KubeObject, string> = new Map(),
): string[] {
  return COUNTED.flatMap((name) =>
    labelled(watches, name, namespace, instance)
      .filter((object) => !isOver(object))
      .flatMap((object) => {
        const health = kubeHealthOf(object);
        if (health.state === 'healthy') return [];
        const failure = failures.get(object);
        const sentence = healthSentence(object, health, podsOf(watches, object));
        return [failure === undefined ? sentence : `${sentence}; ${failure}`];
      }),
  );
}

/** Pods on a node whose containers have not started. */
export function podsBeingSetUp(watches: Watched, namespace: string, instance: string): KubeObject[] {
  return labelled(watches, 'pods', namespace, instance).filter(
    (pod) =>
      !isOver(pod) &&
      stringAt(pod.status, 'phase') === 'Pending' &&
      stringAt(pod.status, 'startTime') !== undefined &&
      podTrouble(pod) === undefined,
  );
}

function labelled(watches: Watched, name: WorkloadName, namespace: string, instance: string): KubeObject[] {
  const cache = watches.workloads.get(name);
  if (cache === undefined) return [];
  return cache
    .list(namespace)
    .filter((object) => object.metadata.labels?.[INSTANCE_LABEL] === instance)
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

/**
 * A succeeded or terminating pod, a pod of a Job (the Job counts), a pipe's pod (its plan counts, and the pod's end requeues no
 * Instance, so a stale copy would count for ever), or a ReplicaSet of a Deployment (the Deployment counts).
 */
function isOver(object: KubeObject): boolean {
  if (object.kind === 'Pod') {
    if (Object.hasOwn(object.metadata.annotations ?? {}, PIPE_POD_ANNOTATION)) return true;
    if ((object.metadata.deletionTimestamp ?? '') !== '') return true;
    return stringAt(object.status, 'phase') === 'Succeeded' || isOwnedBy(object, 'Job');
  }
  return object.kind === 'ReplicaSet' && isOwnedBy(object, 'Deployment');
}

function isOwnedBy(object: KubeObject, kind: string): boolean {
  return (object.metadata.ownerReferences ?? []).some((owner) => owner.kind === kind);
}

/** Pods that belong to an object, directly or through a ReplicaSet of a Deployment, by name. */
export function podsOf(watches: Watched, object: KubeObject): KubeObject[] {
  const pods = watches.workloads.get('pods')?.list(object.metadata.namespace ?? '') ?? [];
  const owners = new Set<string>();
  if (object.metadata.uid !== undefined) owners.add(object.metadata.uid);
  if (object.kind === 'Deployment') {
    for (const replicaSet of watches.workloads.get('replicasets')?.list(object.metadata.namespace ?? '') ?? []) {
      const isOwned = (replicaSet.metadata.ownerReferences ?? []).some((owner) => owners.has(owner.uid));
      if (isOwned && replicaSet.metadata.uid !== undefined) owners.add(replicaSet.metadata.uid);
    }
  }
  return pods
    .filter((pod) => (pod.metadata.ownerReferences ?? []).some((owner) => owners.has(owner.uid)))
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}
