import type { JsonObject } from '@/lib/json/json';

/** One rule of a Role or ClusterRole. */
export type Rule = JsonObject & {
  readonly apiGroups: string[];
  readonly resources: string[];
  readonly verbs: string[];
};

const READ = ['get', 'list', 'watch'];
const WRITE = [...READ, 'create', 'update', 'patch', 'delete'];
const rule = (group: string, resources: string[], verbs: string[]): Rule => ({ apiGroups: [group], resources, verbs });

/** What the controller does itself in the namespaces of Instances, whatever the packages are. */
const OWN_WORK: readonly Rule[] = [
  rule('kudo.dev', ['operators', 'operatorversions', 'instances'], WRITE),
  // Schedules, parents and retries start destructive plans with the controller's authority.
  rule('kudo.dev', ['instances'], ['destroy']),
  // Whether a person may start one.
  rule('authorization.k8s.io', ['localsubjectaccessreviews'], ['create']),
  rule('kudo.dev', ['instances/status', 'instances/finalizers'], ['update', 'patch']),
  rule('bravo.kudo.dev', ['planruns'], WRITE),
  rule('bravo.kudo.dev', ['planschedules', 'planapprovals', 'operatorsubscriptions'], READ),
  // A subscription creates upgrades.
  rule('bravo.kudo.dev', ['operatorupgrades'], [...READ, 'create']),
  rule(
    'bravo.kudo.dev',
    [
      ...['planruns/status', 'planschedules/status', 'planapprovals/status'],
      ...['operatorupgrades/status', 'operatorsubscriptions/status'],
    ],
    ['update', 'patch'],
  ),
  rule('', ['pods/exec', 'pods/portforward'], ['get', 'create']),
  rule('', ['pods/proxy', 'pods/log'], ['get']),
  rule('', ['events'], ['create', 'patch']),
];

/** The kinds of Kubernetes that templates of packages contain. */
const PACKAGE_KINDS: readonly Rule[] = [
  rule(
    '',
    [
      'configmaps',
      'endpoints',
      'persistentvolumeclaims',
      'pods',
      'replicationcontrollers',
      'secrets',
      'serviceaccounts',
      'services',
    ],
    WRITE,
  ),
  rule('apps', ['daemonsets', 'deployments', 'replicasets', 'statefulsets'], WRITE),
  rule('autoscaling', ['horizontalpodautoscalers'], WRITE),
  rule('batch', ['cronjobs', 'jobs'], WRITE),
  rule('networking.k8s.io', ['ingresses', 'networkpolicies'], WRITE),
  rule('policy', ['poddisruptionbudgets'], WRITE),
  // Without `escalate` and `bind`: a Role in a template gives no more than the controller has.
  rule('rbac.authorization.k8s.io', ['rolebindings', 'roles'], WRITE),
];

/** The controller in the namespaces of Instances. */
export const CONTROLLER_RULES: readonly Rule[] = [...OWN_WORK, ...PACKAGE_KINDS];

/** The controller with Instances in every namespace, besides. */
export const CONTROLLER_CLUSTER_RULES: readonly Rule[] = [
  rule('', ['namespaces'], READ),
  rule('apiextensions.k8s.io', ['customresourcedefinitions'], READ),
  rule('admissionregistration.k8s.io', ['mutatingwebhookconfigurations'], ['get', 'create', 'update', 'delete']),
];

/** The controller in its own namespace: its leases and its keys. */
export const CONTROLLER_HOME_RULES: readonly Rule[] = [
  rule('coordination.k8s.io', ['leases'], WRITE),
  rule('', ['secrets', 'configmaps'], ['get', 'list', 'watch', 'create', 'update', 'patch']),
  rule('', ['events'], ['create', 'patch']),
];

/** The controller sees whether another one leads with the lease of older versions. */
export const CONTROLLER_FORMER_RULES: readonly Rule[] = [
  { ...rule('coordination.k8s.io', ['leases'], ['get']), resourceNames: ['bravo-controller'] },
];

/**
 * What the console watches once for all people; each of them gets of it what the cluster lets them see. Secrets are not among it: a
 * person reads them with their own rights.
 */
export const CONSOLE_WATCH_RULES: readonly Rule[] = [
  rule('kudo.dev', ['operators', 'operatorversions', 'instances'], READ),
  rule(
    'bravo.kudo.dev',
    ['planruns', 'planschedules', 'planapprovals', 'operatorupgrades', 'operatorsubscriptions'],
    READ,
  ),
  rule(
    '',
    [
      'configmaps',
      'endpoints',
      'events',
      'persistentvolumeclaims',
      'pods',
      'replicationcontrollers',
      'serviceaccounts',
      'services',
    ],
    READ,
  ),
  rule('apps', ['daemonsets', 'deployments', 'replicasets', 'statefulsets'], READ),
  rule('autoscaling', ['horizontalpodautoscalers'], READ),
  rule('batch', ['cronjobs', 'jobs'], READ),
  rule('networking.k8s.io', ['ingresses', 'networkpolicies'], READ),
  rule('policy', ['poddisruptionbudgets'], READ),
  rule('rbac.authorization.k8s.io', ['rolebindings', 'roles'], READ),
  rule('coordination.k8s.io', ['leases'], READ),
];

/** In a Role: the Namespace of the Role, by its name. */
export const OWN_NAMESPACE_RULE: Rule = rule('', ['namespaces'], ['get']);

/** The same of the whole cluster. */
export const CONSOLE_CLUSTER_RULES: readonly Rule[] = [
  rule('', ['namespaces', 'nodes', 'persistentvolumes'], READ),
  rule('apiextensions.k8s.io', ['customresourcedefinitions'], READ),
  rule('admissionregistration.k8s.io', ['mutatingwebhookconfigurations'], ['get']),
  rule('rbac.authorization.k8s.io', ['clusterrolebindings', 'clusterroles'], READ),
  rule('storage.k8s.io', ['storageclasses'], READ),
];

/** The console in its own namespace: the Secrets of its sessions, by their names; it lists those with clusters, which RBAC cannot select by their label. */
export function consoleHomeRules(secrets: readonly string[]): Rule[] {
  return [
    rule('', ['secrets'], ['create']),
    rule('', ['secrets'], ['list']),
    { ...rule('', ['secrets'], ['get', 'update', 'patch']), resourceNames: [...secrets] },
    rule('coordination.k8s.io', ['leases'], READ),
  ];
}

/** Acting as the people who signed in, and as nobody else: no right of its own on any object. */
export const CONSOLE_IMPERSONATE_RULES: readonly Rule[] = [rule('', ['users', 'groups'], ['impersonate'])];
