import type { KubeObject } from '@/lib/kube/object';

/** The roles and bindings that every cluster has from its start (Kubernetes bootstrappolicy), those that people use. */

const BOOTSTRAPPING = { 'kubernetes.io/bootstrapping': 'rbac-defaults' };
const AUTOUPDATE = { 'rbac.authorization.kubernetes.io/autoupdate': 'true' };

interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}

const READ = ['get', 'list', 'watch'];
const WRITE = ['create', 'delete', 'deletecollection', 'patch', 'update'];
const CORE_VIEW = `configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods replicationcontrollers
  replicationcontrollers/scale serviceaccounts services services/status`.split(/\s+/);
const CORE_VIEW_MORE =
  `bindings events limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas
  resourcequotas/status`.split(/\s+/);
const CORE_EDIT =
  `configmaps endpoints events persistentvolumeclaims pods pods/attach pods/exec pods/portforward pods/proxy
  replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy`.split(/\s+/);
const APPS = `daemonsets deployments deployments/scale replicasets replicasets/scale statefulsets
  statefulsets/scale`.split(/\s+/);
const APPS_VIEW = `controllerrevisions daemonsets/status deployments/status replicasets/status
  statefulsets/status`.split(/\s+/);

const viewRules: readonly Rule[] = [
  { apiGroups: [''], resources: CORE_VIEW, verbs: READ },
  { apiGroups: [''], resources: CORE_VIEW_MORE, verbs: READ },
  { apiGroups: [''], resources: ['namespaces'], verbs: READ },
  { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: READ },
  { apiGroups: ['apps'], resources: [...APPS, ...APPS_VIEW], verbs: READ },
  {
    apiGroups: ['autoscaling'],
    resources: ['horizontalpodautoscalers', 'horizontalpodautoscalers/status'],
    verbs: READ,
  },
  { apiGroups: ['batch'], resources: ['cronjobs', 'cronjobs/status', 'jobs', 'jobs/status'], verbs: READ },
  { apiGroups: ['policy'], resources: ['poddisruptionbudgets', 'poddisruptionbudgets/status'], verbs: READ },
  { apiGroups: ['networking.k8s.io'], resources: ['ingresses', 'ingresses/status', 'networkpolicies'], verbs: READ },
];
const editRules: readonly Rule[] = [
  {
    apiGroups: [''],
    resources: ['pods/attach', 'pods/exec', 'pods/portforward', 'pods/proxy', 'secrets', 'services/proxy'],
    verbs: READ,
  },
  { apiGroups: [''], resources: ['serviceaccounts'], verbs: ['impersonate'] },
  { apiGroups: [''], resources: CORE_EDIT, verbs: WRITE },
  { apiGroups: [''], resources: ['pods/eviction', 'serviceaccounts/token'], verbs: ['create'] },
  { apiGroups: ['apps'], resources: [...APPS, 'deployments/rollback'], verbs: WRITE },
  { apiGroups: ['autoscaling'], resources: ['horizontalpodautoscalers'], verbs: WRITE },
  { apiGroups: ['batch'], resources: ['cronjobs', 'jobs'], verbs: WRITE },
  { apiGroups: ['policy'], resources: ['poddisruptionbudgets'], verbs: WRITE },
  { apiGroups: ['networking.k8s.io'], resources: ['ingresses', 'networkpolicies'], verbs: WRITE },
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: [...READ, ...WRITE] },
];
const adminRules: readonly Rule[] = [
  { apiGroups: ['authorization.k8s.io'], resources: ['localsubjectaccessreviews'], verbs: ['create'] },
  { apiGroups: ['rbac.authorization.k8s.io'], resources: ['rolebindings', 'roles'], verbs: [...READ, ...WRITE] },
];

const DISCOVERY = '/api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz /version /version/'.split(' ');
const PUBLIC = ['/healthz', '/livez', '/readyz', '/version', '/version/'];
const REVIEWS = ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'];

export const defaultRoles: readonly KubeObject[] = [
  role('cluster-admin', [
    { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
    { nonResourceURLs: ['*'], verbs: ['*'] },
  ]),
  role('system:discovery', [{ nonResourceURLs: DISCOVERY, verbs: ['get'] }]),
  role('system:public-info-viewer', [{ nonResourceURLs: PUBLIC, verbs: ['get'] }]),
  role('system:basic-user', [
    { apiGroups: ['authorization.k8s.io'], resources: REVIEWS, verbs: ['create'] },
    { apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'], verbs: ['create'] },
  ]),
  aggregated('admin', 'admin', [...adminRules, ...editRules, ...viewRules]),
  aggregated('edit', 'edit', [...editRules, ...viewRules], 'admin'),
  aggregated('view', 'view', viewRules, 'edit'),
  role('system:aggregate-to-admin', adminRules, { 'rbac.authorization.k8s.io/aggregate-to-admin': 'true' }),
  role('system:aggregate-to-edit', editRules, { 'rbac.authorization.k8s.io/aggregate-to-edit': 'true' }),
  role('system:aggregate-to-view', viewRules, { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' }),
];

export const defaultBindings: readonly KubeObject[] = [
  binding('cluster-admin', ['system:masters']),
  binding('system:discovery', ['system:authenticated']),
  binding('system:basic-user', ['system:authenticated']),
  binding('system:public-info-viewer', ['system:authenticated', 'system:unauthenticated']),
];

function role(name: string, rules: readonly Rule[], labels: { [key: string]: string } = {}): KubeObject {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name, labels: { ...BOOTSTRAPPING, ...labels }, annotations: { ...AUTOUPDATE } },
    rules,
  };
}

function aggregated(name: string, label: string, rules: readonly Rule[], into?: string): KubeObject {
  const labels = into === undefined ? {} : { [`rbac.authorization.k8s.io/aggregate-to-${into}`]: 'true' };
  const matchLabels = { [`rbac.authorization.k8s.io/aggregate-to-${label}`]: 'true' };
  return { ...role(name, rules, labels), aggregationRule: { clusterRoleSelectors: [{ matchLabels }] } };
}

function binding(name: string, groups: readonly string[]): KubeObject {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name, labels: { ...BOOTSTRAPPING }, annotations: { ...AUTOUPDATE } },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    subjects: groups.map((group) => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: group })),
  };
}
