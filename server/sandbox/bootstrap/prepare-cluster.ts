import { cloneJson, jsonEqual } from '@/lib/json/json';
import { type KubeObject, kindOf } from '@/lib/kube/object';
import { internalContext } from '../registry/context';
import { createObject } from '../registry/create';
import { decodeObject } from '../registry/decode-object';
import type { Registry } from '../registry/registry';
import { objectKey } from '../store/collection';
import { FRONT_PROXY_NAME, type Secrets } from '../tls/secrets';
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

/** Makes what every new cluster has, where it does not exist. @param secrets the authorities that API servers behind Services may know */
export function prepareCluster(registry: Registry, secrets?: Pick<Secrets, 'authority' | 'frontProxy'>): void {
  for (const name of NAMESPACES) ensure(registry, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  for (const object of [...defaultRoles, ...defaultBindings, ...PRIORITY_CLASSES, KUBERNETES_SERVICE]) {
    ensure(registry, object);
  }
  if (secrets !== undefined) publishAuthentication(registry, secrets);
}

const AUTHENTICATION = 'extension-apiserver-authentication';

/** How API servers behind Services know that it is this server that names the user (kube-apiserver clusterauthenticationtrust). */
function publishAuthentication(
  registry: Registry,
  { authority, frontProxy }: Pick<Secrets, 'authority' | 'frontProxy'>,
): void {
  if (frontProxy === undefined) return;
  const metadata = { name: AUTHENTICATION, namespace: 'kube-system' };
  const data = {
    'client-ca-file': authority.certificatePem,
    'requestheader-allowed-names': JSON.stringify([FRONT_PROXY_NAME]),
    'requestheader-client-ca-file': frontProxy.caPem,
    'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
    'requestheader-group-headers': '["X-Remote-Group"]',
    'requestheader-uid-headers': '["X-Remote-Uid"]',
    'requestheader-username-headers': '["X-Remote-User"]',
  };
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
  const key = objectKey(metadata.namespace, metadata.name);
  const present = registry.store.get('configmaps', key)?.object;
  if (present === undefined) ensure(registry, configMap);
  else if (!jsonEqual(present.data, data)) registry.store.put('configmaps', key, { ...cloneJson(present), data });
  ensure(registry, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { ...metadata, name: `${AUTHENTICATION}-reader` },
    rules: [
      { apiGroups: [''], resources: ['configmaps'], resourceNames: [AUTHENTICATION], verbs: ['get', 'list', 'watch'] },
    ],
  });
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
