import { rfc3339 } from '@/lib/clock/rfc3339';
import { messageOf } from '@/lib/errors/errors';
import { arrayAt, objectAt, stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import type { Cluster } from './cluster';
import { PODS } from './resources';

/** Binds pending pods to this node when their claims are bound and their nodeSelector matches. Nothing else is weighed. */
export class Scheduler {
  private readonly busy = new Set<string>();
  private readonly problems = new Map<string, string>();

  constructor(
    private readonly cluster: Cluster,
    private readonly nodeName: string,
    private readonly labels: { readonly [name: string]: string },
  ) {}

  /** Looks at all pods without a node. */
  scheduleAll(): void {
    for (const pod of this.cluster.pods.list()) this.schedule(pod);
  }

  schedule(pod: KubeObject): void {
    const uid = pod.metadata.uid ?? '';
    const isBound = (stringAt(pod, 'spec', 'nodeName') ?? '') !== '';
    if (isBound || pod.metadata.deletionTimestamp !== undefined || this.busy.has(uid)) return;
    const gates = arrayAt(pod, 'spec', 'schedulingGates');
    if (gates.length > 0) return;
    const problem = this.problemOf(pod);
    if (problem !== undefined && this.problems.get(uid) === problem) return;
    this.busy.add(uid);
    const done = problem === undefined ? this.bind(pod) : this.refuse(pod, problem);
    done
      .catch((error: unknown) =>
        this.cluster.log.warn('schedule.failed', { pod: nameOf(pod), error: messageOf(error) }),
      )
      .finally(() => this.busy.delete(uid));
  }

  private problemOf(pod: KubeObject): string | undefined {
    const namespace = namespaceOf(pod);
    for (const volume of arrayAt(pod, 'spec', 'volumes')) {
      const name = stringAt(volume, 'persistentVolumeClaim', 'claimName');
      if (name === undefined) continue;
      const claim = this.cluster.claims.get(namespace, name);
      if (claim === undefined) return `persistentvolumeclaim "${name}" not found`;
      if (stringAt(claim, 'status', 'phase') !== 'Bound') return 'pod has unbound immediate PersistentVolumeClaims';
      if (claim.metadata.deletionTimestamp !== undefined) return `persistentvolumeclaim "${name}" is being deleted`;
    }
    const selector = objectAt(pod, 'spec', 'nodeSelector');
    const matches = Object.entries(selector).every(([key, value]) => this.labels[key] === value);
    return matches ? undefined : "node(s) didn't match Pod's node affinity/selector";
  }

  private async bind(pod: KubeObject): Promise<void> {
    this.problems.delete(pod.metadata.uid ?? '');
    const target = { ...PODS, namespace: namespaceOf(pod), name: nameOf(pod) };
    const binding: KubeObject = {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: nameOf(pod), namespace: namespaceOf(pod), uid: pod.metadata.uid ?? '' },
      target: { apiVersion: 'v1', kind: 'Node', name: this.nodeName },
    };
    await this.cluster.api.create(target, binding, { subresource: 'binding' });
    this.cluster.event(
      pod,
      'Normal',
      'Scheduled',
      `Successfully assigned ${namespaceOf(pod)}/${nameOf(pod)} to ${this.nodeName}`,
    );
  }

  private async refuse(pod: KubeObject, problem: string): Promise<void> {
    this.problems.set(pod.metadata.uid ?? '', problem);
    const message = `0/1 nodes are available: ${problem}.`;
    const others = arrayAt(pod, 'status', 'conditions').filter((each) => stringAt(each, 'type') !== 'PodScheduled');
    const condition = {
      ...{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message },
      ...{ lastProbeTime: null, lastTransitionTime: rfc3339(Date.now()) },
    };
    const target = { ...PODS, namespace: namespaceOf(pod), name: nameOf(pod) };
    const body = { status: { phase: 'Pending', conditions: [...others, condition] } };
    await this.cluster.api.patch(target, 'merge', body, { subresource: 'status' });
    this.cluster.event(pod, 'Warning', 'FailedScheduling', message);
  }
}
