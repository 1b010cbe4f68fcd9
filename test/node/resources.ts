import type { GroupVersionResource } from '@/lib/kube/object';

const core = (resource: string): GroupVersionResource => ({ group: '', version: 'v1', resource });

export const PODS = core('pods');
export const NODES = core('nodes');
export const CLAIMS = core('persistentvolumeclaims');
export const VOLUMES = core('persistentvolumes');
export const SERVICES = core('services');
export const CONFIG_MAPS = core('configmaps');
export const SECRETS = core('secrets');
export const EVENTS = core('events');
export const SERVICE_ACCOUNTS = core('serviceaccounts');
export const STORAGE_CLASSES = { group: 'storage.k8s.io', version: 'v1', resource: 'storageclasses' };
export const ENDPOINT_SLICES = { group: 'discovery.k8s.io', version: 'v1', resource: 'endpointslices' };
