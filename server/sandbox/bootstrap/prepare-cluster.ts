import { cloneJson } from '@/lib/json/json';
import { type KubeObject, kindOf } from '@/lib/kube/object';
import { internalContext } from '../registry/context';
import { createObject } from '../registry/create';
import { decodeObject } from '../registry/decode-object';
import type { Registry } from '../registry/registry';
import { objectKey } from '../store/collection';
import { defaultBindings, defaultRoles } from './default-roles';

const NAMESPACES = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

const PRIORITY_CLASSES: readonly KubeObject[] = [
  priorityClass(
    'system-cluster-critical',
    2_000_000_000,
    'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  ),
  priorityClass(
    'system-node-critical',
    2_000_001_000,
    'Used for system critical pods that must not be moved from their current node.',
  ),
];

const KUBERNETES_SERVICE: KubeObject = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: {
    name: 'kubernetes',
    namespace: 'default',
    labels: { component: 'apiserver', provider: 'kubernetes' },
  },
  spec: {
    type: 'ClusterIP',
    clusterIP: '10.0.0.1',
    ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }],
  },
};

/** Makes what every new cluster has, where it does not exist. */
export function prepareCluster(registry: Registry): void {
  for (const name of NAMESPACES) ensure(registry, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  for (const object of [...defaultRoles, ...defaultBindings, ...PRIORITY_CLASSES, KUBERNETES_SERVICE]) {
    ensure(registry, object);
  }
}

function ensure(registry: Registry, template: KubeObject): void {
  const info = registry.table.findKind(kindOf(template));
  const { name = '', namespace } = template.metadata;
  if (info === undefined || registry.store.get(info.storage, objectKey(namespace, name)) !== undefined) return;
  const object = decodeObject(info, cloneJson(template), internalContext());
  createObject(registry, { info, namespace }, object, internalContext());
}

function priorityClass(name: string, value: number, description: string): KubeObject {
  return { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value, description };
}
