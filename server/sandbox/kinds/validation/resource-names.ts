const CONTAINER = new Set(['cpu', 'memory', 'ephemeral-storage']);
const COUNTED = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
];
const QUOTA = new Set([
  ...CONTAINER,
  ...[...CONTAINER].flatMap((name) => [`requests.${name}`, `limits.${name}`]),
  ...COUNTED,
  'requests.storage',
  'services.nodeports',
  'services.loadbalancers',
]);

/** The resources that are counted by quotas of their own (Kubernetes IsStandardQuotaResourceName). */
export function isQuotaResource(name: string): boolean {
  return QUOTA.has(name) || name.startsWith('hugepages-') || name.startsWith('requests.hugepages-');
}

/** True when more can be limited than asked for; what a device offers is given whole. */
export function allowsOvercommit(name: string): boolean {
  return isNative(name) && !name.startsWith('hugepages-');
}

function isNative(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}
