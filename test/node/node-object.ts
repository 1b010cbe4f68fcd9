import { rfc3339 } from '@/lib/clock/rfc3339';
import { arrayAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import type { Cluster } from './cluster';
import { NODES } from './resources';

/** The labels of the node that pods may select. */
export function nodeLabels(name: string): { [name: string]: string } {
  return { 'kubernetes.io/arch': 'amd64', 'kubernetes.io/os': 'linux', 'kubernetes.io/hostname': name };
}

/** Registers the node and marks it ready, with the address and port of its kubelet endpoint. */
export async function registerNode(cluster: Cluster, name: string, address: string, port: number): Promise<void> {
  const target = { ...NODES, name };
  const node: KubeObject = { apiVersion: 'v1', kind: 'Node', metadata: { name, labels: nodeLabels(name) }, spec: {} };
  const registered = (await cluster.api.get(target)) ?? (await cluster.api.create(NODES, node));
  const time = rfc3339(Date.now());
  const conditions = [
    ['MemoryPressure', 'False', 'KubeletHasSufficientMemory'],
    ['DiskPressure', 'False', 'KubeletHasNoDiskPressure'],
    ['PIDPressure', 'False', 'KubeletHasSufficientPID'],
    ['Ready', 'True', 'KubeletReady'],
  ].map(([type = '', status = '', reason = '']) => ({
    ...{ type, status, reason, message: '', lastHeartbeatTime: time, lastTransitionTime: time },
  }));
  const amounts = { cpu: '16', memory: '16Gi', 'ephemeral-storage': '100Gi', pods: '100' };
  const status = {
    addresses: [
      { type: 'InternalIP', address },
      { type: 'Hostname', address: name },
    ],
    ...{ capacity: amounts, allocatable: amounts, conditions },
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
    nodeInfo: {
      ...{
        architecture: 'amd64',
        operatingSystem: 'linux',
        osImage: 'Debian',
        kernelVersion: '',
        machineID: '',
        bootID: '',
      },
      ...{ systemUUID: '', containerRuntimeVersion: 'runc://1', kubeletVersion: 'v1.36.0', kubeProxyVersion: '' },
    },
  };
  await cluster.api.patch(target, 'merge', { status }, { subresource: 'status' });
  // The API server taints a new node until it is ready; a cluster without the node lifecycle controller keeps the taint.
  const taints = arrayAt(registered, 'spec', 'taints').filter(
    (each) => stringAt(each, 'key') !== 'node.kubernetes.io/not-ready',
  );
  await cluster.api.patch(target, 'merge', { spec: { taints } });
}
