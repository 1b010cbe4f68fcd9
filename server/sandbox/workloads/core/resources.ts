import type { GroupVersionResource } from '@/lib/kube/object';

/** The built-in resources that the controllers work with. */
export const resources = {
  configmaps: core('configmaps'),
  endpoints: core('endpoints'),
  events: core('events'),
  namespaces: core('namespaces'),
  nodes: core('nodes'),
  persistentvolumeclaims: core('persistentvolumeclaims'),
  persistentvolumes: core('persistentvolumes'),
  pods: core('pods'),
  secrets: core('secrets'),
  serviceaccounts: core('serviceaccounts'),
  services: core('services'),
  controllerrevisions: of('apps', 'v1', 'controllerrevisions'),
  daemonsets: of('apps', 'v1', 'daemonsets'),
  deployments: of('apps', 'v1', 'deployments'),
  replicasets: of('apps', 'v1', 'replicasets'),
  statefulsets: of('apps', 'v1', 'statefulsets'),
  cronjobs: of('batch', 'v1', 'cronjobs'),
  jobs: of('batch', 'v1', 'jobs'),
  endpointslices: of('discovery.k8s.io', 'v1', 'endpointslices'),
  poddisruptionbudgets: of('policy', 'v1', 'poddisruptionbudgets'),
  clusterroles: of('rbac.authorization.k8s.io', 'v1', 'clusterroles'),
  storageclasses: of('storage.k8s.io', 'v1', 'storageclasses'),
} as const;

function core(resource: string): GroupVersionResource {
  return of('', 'v1', resource);
}

function of(group: string, version: string, resource: string): GroupVersionResource {
  return { group, version, resource };
}
