import { qualifiedNameProblems } from '@/lib/kube/label-syntax';
import { invalid } from '@/lib/schema/field-error';
import type { Faults } from '../kind-rules';

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

/** The name of something that can be asked for: a known one, or one with a prefix (ValidateResourceName). */
export function checkResourceName(name: string, field: string, faults: Faults): void {
  const problems = qualifiedNameProblems(name);
  for (const problem of problems) faults.push(invalid(field, name, problem));
  if (problems.length > 0 || name.includes('/') || name === 'storage' || isQuotaResource(name)) return;
  faults.push(invalid(field, name, 'must be a standard resource type or fully qualified'));
}

/** The name of what a container can ask for (ValidateContainerResourceName). */
export function checkContainerResourceName(name: string, field: string, faults: Faults): void {
  checkResourceName(name, field, faults);
  if (!name.includes('/')) {
    if (!CONTAINER.has(name) && !name.startsWith('hugepages-')) {
      faults.push(invalid(field, name, 'must be a standard resource for containers'));
    }
  } else if (
    !isNative(name) &&
    (name.startsWith('requests.') || qualifiedNameProblems(`requests.${name}`).length > 0)
  ) {
    faults.push(invalid(field, name, "doesn't follow extended resource name standard"));
  }
}

/** True when more can be limited than asked for; what a device offers is given whole. */
export function allowsOvercommit(name: string): boolean {
  return isNative(name) && !name.startsWith('hugepages-');
}

function isNative(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}
