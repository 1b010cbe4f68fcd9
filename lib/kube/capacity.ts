import { arrayAt, getAt, isJsonObject, stringAt } from '@/lib/json/json';
import type { KubeObject } from './object';
import { quantityValue } from './pods/pod-usage';

/** An amount that pods request, and what Nodes can allocate: cores, bytes or pods. */
export interface CapacityShare {
  readonly requested: number;
  readonly allocatable: number;
}

/** What a cluster has, and what its scheduled pods request. */
export interface Capacity {
  readonly nodes: number;
  /** Nodes that are not Ready, and Nodes that are cordoned. */
  readonly notReady: number;
  readonly cordoned: number;
  readonly cpu: CapacityShare;
  readonly memory: CapacityShare;
  readonly pods: CapacityShare;
}

interface Requests {
  readonly cpu: number;
  readonly memory: number;
}

/** Adds up pods page by page, so that no list of them is kept. */
export class PodRequests {
  pods = 0;
  cpu = 0;
  memory = 0;

  /** Pods that run on a Node or begin there; the others take nothing of it. */
  add(pods: readonly KubeObject[]): void {
    for (const pod of pods) {
      const phase = stringAt(pod, 'status', 'phase') ?? '';
      if ((stringAt(pod, 'spec', 'nodeName') ?? '') === '' || phase === 'Succeeded' || phase === 'Failed') continue;
      const { cpu, memory } = podRequests(pod);
      this.pods += 1;
      this.cpu += cpu;
      this.memory += memory;
    }
  }
}

/** Adds up Nodes page by page. */
export class NodeTotals {
  nodes = 0;
  notReady = 0;
  cordoned = 0;
  cpu = 0;
  memory = 0;
  pods = 0;

  add(nodes: readonly KubeObject[]): void {
    for (const node of nodes) {
      const allocatable = (resource: string) => quantityValue(getAt(node, 'status', 'allocatable', resource));
      this.nodes += 1;
      if (!isReady(node)) this.notReady += 1;
      if (getAt(node, 'spec', 'unschedulable') === true) this.cordoned += 1;
      this.cpu += allocatable('cpu');
      this.memory += allocatable('memory');
      this.pods += allocatable('pods');
    }
  }
}

/** Both of the whole cluster. */
export function clusterCapacity(nodes: NodeTotals, pods: PodRequests): Capacity {
  return {
    nodes: nodes.nodes,
    notReady: nodes.notReady,
    cordoned: nodes.cordoned,
    cpu: { requested: pods.cpu, allocatable: nodes.cpu },
    memory: { requested: pods.memory, allocatable: nodes.memory },
    pods: { requested: pods.pods, allocatable: nodes.pods },
  };
}

function isReady(node: KubeObject): boolean {
  return arrayAt(node, 'status', 'conditions').some(
    (condition) => stringAt(condition, 'type') === 'Ready' && stringAt(condition, 'status') === 'True',
  );
}

/**
 * What the scheduler counts (Kubernetes component-helpers resource.PodRequests): all containers and sidecars together, or the largest init
 * container beside the sidecars that began before it, whichever is more; and the overhead of the runtime class.
 */
function podRequests(pod: KubeObject): Requests {
  const one = (resource: 'cpu' | 'memory') => {
    const of = (container: unknown) => quantityValue(getAt(container, 'resources', 'requests', resource));
    let sidecars = 0;
    let largest = 0;
    for (const container of arrayAt(pod, 'spec', 'initContainers')) {
      if (!isJsonObject(container)) continue;
      if (container.restartPolicy === 'Always') sidecars += of(container);
      else largest = Math.max(largest, sidecars + of(container));
    }
    const together = arrayAt(pod, 'spec', 'containers').reduce((all: number, each) => all + of(each), sidecars);
    return Math.max(together, largest) + quantityValue(getAt(pod, 'spec', 'overhead', resource));
  };
  return { cpu: one('cpu'), memory: one('memory') };
}

/** From here on a share is nearly used up. */
const NEARLY_FULL = 0.85;

/** `ok`, `nearly` from 85 %, `over` when more is requested than there is (Nodes have gone). */
export function shareState({ requested, allocatable }: CapacityShare): 'ok' | 'nearly' | 'over' {
  if (requested > allocatable) return 'over';
  return allocatable > 0 && requested / allocatable >= NEARLY_FULL ? 'nearly' : 'ok';
}
