import { arrayAt, type JsonObject, type JsonValue, numberAt, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { nameOf } from '@/lib/kube/object';
import { withoutZeros } from '../core/conditions';
import { queueKey, reconcileEach, type WorkloadContext, type WorkloadController } from '../core/context';
import { resources } from '../core/resources';
import { claim } from '../pods/claim';
import { hashOf, syncHistory, trimHistory } from '../pods/controller-revisions';
import { hasEveryLabel } from '../pods/label-selector';
import { type Ownership, ownersToReconcile, selectorOf } from '../pods/owned-pods';
import { countAvailable, isFinished, isReady, isTerminating } from '../pods/pod-state';
import { podFromTemplate } from '../pods/pod-template';
import { createPod, removePod } from '../pods/replaceable-pods';

const COMPONENT = 'daemonset-controller';
const OWNERSHIP: Ownership = { owner: { ...resources.daemonsets, kind: 'DaemonSet' }, owned: resources.pods };
const HASH = 'controller-revision-hash';

/** Keeps one pod on every node that fits (Kubernetes pkg/controller/daemon). */
export function daemonSetController(context: WorkloadContext): WorkloadController {
  return {
    name: 'daemonset',
    *keysFor(event, before) {
      yield* ownersToReconcile(context, OWNERSHIP, event, before);
      if (event.resource.resource !== 'nodes' || event.resource.group !== '') return;
      for (const set of context.list(resources.daemonsets)) yield queueKey(set);
    },
    reconcile: reconcileEach(context, resources.daemonsets, reconcile),
  };
}

function reconcile(context: WorkloadContext, set: KubeObject): number | undefined {
  const history = syncHistory(context, set);
  const hash = hashOf(history.update);
  const nodes = context
    .list(resources.nodes)
    .filter((node) => fits(set, node))
    .map(nameOf);
  const pods = claim(context, set, resources.pods, selectorOf(set));
  if (!isTerminating(set)) manage(context, set, { nodes, pods, hash });
  const present = claim(context, set, resources.pods, selectorOf(set));
  const waitMs = writeStatus(context, set, { nodes, pods: present, hash });
  trimHistory(context, set, history, new Set());
  return waitMs;
}

interface View {
  readonly nodes: readonly string[];
  readonly pods: readonly KubeObject[];
  /** The hash of the present template's revision, which its pods carry. */
  readonly hash: string;
}

/** Node selector and taints decide; a cordoned node is tolerated, as by every DaemonSet. */
function fits(set: KubeObject, node: KubeObject): boolean {
  const spec = objectAt(set, 'spec', 'template', 'spec');
  if (!hasEveryLabel(objectAt(spec, 'nodeSelector'), node.metadata.labels)) return false;
  const tolerations = arrayAt(spec, 'tolerations');
  return arrayAt(node, 'spec', 'taints').every(
    (taint) =>
      stringAt(taint, 'effect') === 'PreferNoSchedule' ||
      stringAt(taint, 'key') === 'node.kubernetes.io/unschedulable' ||
      tolerations.some((toleration) => tolerates(toleration, taint)),
  );
}

function tolerates(toleration: JsonValue, taint: JsonValue): boolean {
  const key = stringAt(toleration, 'key') ?? '';
  const effect = stringAt(toleration, 'effect') ?? '';
  if (effect !== '' && effect !== stringAt(taint, 'effect')) return false;
  if (key !== '' && key !== stringAt(taint, 'key')) return false;
  if (stringAt(toleration, 'operator') === 'Exists') return true;
  return key !== '' && (stringAt(toleration, 'value') ?? '') === (stringAt(taint, 'value') ?? '');
}

function manage(context: WorkloadContext, set: KubeObject, view: View): void {
  const byNode = new Map<string, KubeObject>();
  for (const pod of view.pods) {
    const node = nodeOf(pod);
    if (!view.nodes.includes(node) || byNode.has(node) || isFinished(pod)) {
      if (!isTerminating(pod)) removePod(context, COMPONENT, set, pod);
      if (isFinished(pod) && isTerminating(pod)) byNode.set(node, pod);
    } else {
      byNode.set(node, pod);
    }
  }
  for (const node of view.nodes) {
    if (!byNode.has(node)) add(context, set, node, view.hash);
  }
  const isOnDelete = stringAt(set, 'spec', 'updateStrategy', 'type') === 'OnDelete';
  if (!isOnDelete) replaceOld(context, set, view.hash, [...byNode.values()]);
}

/** Deletes the pods of an old template that are not ready, or one of them when all are: `maxUnavailable` counts as 1. */
function replaceOld(context: WorkloadContext, set: KubeObject, hash: string, pods: readonly KubeObject[]): void {
  const isOld = (pod: KubeObject): boolean => pod.metadata.labels?.[HASH] !== hash;
  const unready = pods.filter((pod) => !isReady(pod));
  const victims = unready.length > 0 ? unready.filter(isOld) : pods.filter(isOld).slice(0, 1);
  for (const pod of victims) if (!isTerminating(pod)) removePod(context, COMPONENT, set, pod);
}

function add(context: WorkloadContext, set: KubeObject, node: string, hash: string): void {
  const pod = podFromTemplate(set, objectAt(set, 'spec', 'template'), `${nameOf(set)}-`);
  const generation = set.metadata.annotations?.['deprecated.daemonset.template.generation'] ?? '1';
  pod.metadata.labels = { ...pod.metadata.labels, [HASH]: hash, 'pod-template-generation': generation };
  const spec = objectAt(pod, 'spec');
  const affinity = objectAt(spec, 'affinity');
  const terms = [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] }];
  spec.affinity = {
    ...affinity,
    nodeAffinity: {
      ...objectAt(affinity, 'nodeAffinity'),
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms },
    },
  };
  spec.tolerations = [...arrayAt(spec, 'tolerations'), ...OWN_TOLERATIONS];
  createPod(context, COMPONENT, set, pod);
}

const OWN_TOLERATIONS: readonly JsonObject[] = [
  ['not-ready', 'NoExecute'],
  ['unreachable', 'NoExecute'],
  ['disk-pressure', 'NoSchedule'],
  ['memory-pressure', 'NoSchedule'],
  ['pid-pressure', 'NoSchedule'],
  ['unschedulable', 'NoSchedule'],
].map(([key, effect]) => ({ key: `node.kubernetes.io/${key}`, operator: 'Exists', effect: effect ?? '' }));

/** Where a pod is or will be: its node, or the one its affinity names. */
function nodeOf(pod: KubeObject): string {
  const bound = stringAt(pod, 'spec', 'nodeName');
  if (bound !== undefined) return bound;
  const required = ['spec', 'affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution'] as const;
  return stringAt(pod, ...required, 'nodeSelectorTerms', 0, 'matchFields', 0, 'values', 0) ?? '';
}

function writeStatus(context: WorkloadContext, set: KubeObject, view: View): number | undefined {
  const wanted = view.nodes.length;
  const minReady = numberAt(set, 'spec', 'minReadySeconds') ?? 0;
  const living = view.pods.filter((pod) => !isTerminating(pod) && !isFinished(pod));
  const onNode = living.filter((pod) => view.nodes.includes(nodeOf(pod)));
  const { available, waitMs } = countAvailable(onNode, minReady, context.clock.now());
  const counts = withoutZeros({
    updatedNumberScheduled: onNode.filter((pod) => pod.metadata.labels?.[HASH] === view.hash).length,
    numberAvailable: available,
    numberUnavailable: wanted - available,
    observedGeneration: set.metadata.generation,
  });
  context.updateStatus(resources.daemonsets, set, {
    ...counts,
    currentNumberScheduled: onNode.length,
    numberMisscheduled: living.length - onNode.length,
    desiredNumberScheduled: wanted,
    numberReady: onNode.filter(isReady).length,
  });
  return waitMs;
}
