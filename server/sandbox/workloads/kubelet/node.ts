import { arrayAt, type JsonObject, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import type { WorkloadContext } from '../core/context';
import { resources } from '../core/resources';
import { NODE_NAME } from './pod-run';
import { NODE_IP } from './pod-status';

const NOT_READY = 'node.kubernetes.io/not-ready';

/** Creates the Node object of the simulated node if it does not exist yet, and marks it ready. */
export function ensureNode(context: WorkloadContext): void {
  const made = context.get(resources.nodes, '', NODE_NAME) ?? context.create(resources.nodes, newNode());
  // Admission taints a new node until it is ready; ours is at once (Kubernetes nodelifecycle controller).
  const node = context.update(resources.nodes, made, (copy) => {
    const { taints: _, ...spec } = objectAt(copy, 'spec');
    const kept = arrayAt(copy, 'spec', 'taints').filter((taint) => stringAt(taint, 'key') !== NOT_READY);
    copy.spec = kept.length > 0 ? { ...spec, taints: kept } : spec;
  });
  const time = context.now();
  const conditions = [
    ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
    ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
    ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
    ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
  ].map(([type = '', status = '', reason = '', message = '']) => ({
    type,
    status,
    lastHeartbeatTime: time,
    lastTransitionTime: time,
    reason,
    message,
  }));
  const amounts: JsonObject = { cpu: '8', memory: '16Gi', 'ephemeral-storage': '100Gi', pods: '1000' };
  context.updateStatus(resources.nodes, node, {
    addresses: [
      { type: 'InternalIP', address: NODE_IP },
      { type: 'Hostname', address: NODE_NAME },
    ],
    capacity: amounts,
    allocatable: amounts,
    conditions,
    daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    nodeInfo: {
      architecture: 'amd64',
      containerRuntimeVersion: 'simulated://1',
      kernelVersion: '6.6.0',
      kubeletVersion: 'v1.36.2',
      operatingSystem: 'linux',
      osImage: 'Bravo sandbox',
    },
  });
}

function newNode(): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: NODE_NAME,
      labels: {
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': NODE_NAME,
        'kubernetes.io/os': 'linux',
        'node-role.kubernetes.io/control-plane': '',
      },
    },
    spec: { podCIDR: '10.244.0.0/16', podCIDRs: ['10.244.0.0/16'] },
  };
}
