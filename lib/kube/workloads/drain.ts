import { arrayAt, getAt, isJsonObject, numberAt, stringAt } from '@/lib/json/json';
import { controllerOf, type KubeObject, nameOf, namespacedName, namespaceOf } from '../object';

/**
 * What a drain does with a pod (Kubernetes kubectl pkg/drain/filters.go):
 * - `evict`: it is evicted; its controller starts another one elsewhere
 * - `daemon`, `static`: it stays, because the DaemonSet or the kubelet would start it again here
 * - `leaving`: it is being deleted already
 */
type PodFate = 'evict' | 'daemon' | 'static' | 'leaving';

/** What is lost when a pod is evicted, which a person has to confirm. */
export type DrainLoss = 'bare' | 'local-data';

/** One pod on a Node that is drained. */
export interface DrainedPod {
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly fate: PodFate;
  /** `ReplicaSet web-5d4`; empty for a bare pod. */
  readonly controller: string;
  readonly losses: readonly DrainLoss[];
  /** The volumes of `local-data`. */
  readonly volumes: readonly string[];
  /** The disruption budget that does not allow its eviction now. */
  readonly heldBy: string | undefined;
}

const MIRROR = 'kubernetes.io/config.mirror';

/** The pods of a Node, in the order of their names, and what a drain does with each. */
export function drainedPods(pods: readonly KubeObject[], budgets: readonly KubeObject[]): DrainedPod[] {
  return pods.map((pod) => drainedPod(pod, budgets)).sort((a, b) => (a.key < b.key ? -1 : 1));
}

function drainedPod(pod: KubeObject, budgets: readonly KubeObject[]): DrainedPod {
  const controller = controllerOf(pod);
  const fate = fateOf(pod);
  const isOver = ['Succeeded', 'Failed'].includes(stringAt(pod, 'status', 'phase') ?? '');
  const volumes = arrayAt(pod, 'spec', 'volumes')
    .filter((volume) => isJsonObject(getAt(volume, 'emptyDir')))
    .map((volume) => stringAt(volume, 'name') ?? '');
  const losses: DrainLoss[] = [];
  if (fate === 'evict' && !isOver) {
    if (controller === undefined) losses.push('bare');
    if (volumes.length > 0) losses.push('local-data');
  }
  return {
    key: namespacedName(pod),
    namespace: namespaceOf(pod),
    name: nameOf(pod),
    uid: pod.metadata.uid ?? '',
    fate,
    controller: controller === undefined ? '' : `${controller.kind} ${controller.name}`,
    losses,
    volumes,
    heldBy: fate === 'evict' && !isOver ? holdingBudget(pod, budgets) : undefined,
  };
}

function fateOf(pod: KubeObject): PodFate {
  if (pod.metadata.annotations?.[MIRROR] !== undefined) return 'static';
  if (controllerOf(pod)?.kind === 'DaemonSet') return 'daemon';
  return pod.metadata.deletionTimestamp === undefined ? 'evict' : 'leaving';
}

/** The API server refuses the eviction while the budget allows none. */
function holdingBudget(pod: KubeObject, budgets: readonly KubeObject[]): string | undefined {
  const holding = budgets.find(
    (budget) =>
      namespaceOf(budget) === namespaceOf(pod) &&
      selects(getAt(budget, 'spec', 'selector'), pod.metadata.labels ?? {}) &&
      (numberAt(budget, 'status', 'disruptionsAllowed') ?? 0) < 1 &&
      !isFreeWhenUnready(pod, budget),
  );
  return holding === undefined ? undefined : nameOf(holding);
}

/** A running pod that is not ready is evicted while enough others are healthy, or always, as the budget says (`unhealthyPodEvictionPolicy`). */
function isFreeWhenUnready(pod: KubeObject, budget: KubeObject): boolean {
  const isReady = arrayAt(pod, 'status', 'conditions').some(
    (each) => stringAt(each, 'type') === 'Ready' && stringAt(each, 'status') === 'True',
  );
  if (isReady) return false;
  if (stringAt(pod, 'status', 'phase') === 'Pending') return true;
  if (stringAt(budget, 'spec', 'unhealthyPodEvictionPolicy') === 'AlwaysAllow') return true;
  const desired = numberAt(budget, 'status', 'desiredHealthy') ?? 0;
  return desired > 0 && (numberAt(budget, 'status', 'currentHealthy') ?? 0) >= desired;
}

/** A label selector of policy/v1: an empty one selects all pods, a missing one none. */
function selects(selector: unknown, labels: { readonly [key: string]: string }): boolean {
  if (!isJsonObject(selector)) return false;
  const equal = Object.entries(isJsonObject(selector.matchLabels) ? selector.matchLabels : {});
  return (
    equal.every(([key, value]) => labels[key] === value) &&
    arrayAt(selector, 'matchExpressions').every((rule) => meets(rule, labels))
  );
}

function meets(rule: unknown, labels: { readonly [key: string]: string }): boolean {
  const value = labels[stringAt(rule, 'key') ?? ''];
  const isListed = value !== undefined && arrayAt(rule, 'values').includes(value);
  switch (stringAt(rule, 'operator')) {
    case 'In':
      return isListed;
    case 'NotIn':
      return !isListed;
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return false;
  }
}

/** What the person has to confirm before the drain, in the order of the questions. */
export function drainLosses(pods: readonly DrainedPod[]): readonly DrainLoss[] {
  return (['bare', 'local-data'] as const).filter((loss) => pods.some(({ losses }) => losses.includes(loss)));
}

/** The body of an eviction, which only evicts this very pod: one with the same name may have taken its place. */
export function evictionOf({ namespace, name, uid }: Pick<DrainedPod, 'namespace' | 'name' | 'uid'>) {
  return {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name, namespace },
    deleteOptions: { preconditions: { uid } },
  };
}
