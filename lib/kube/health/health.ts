import { type KubeObject, nameOf, parseApiVersion } from '@/lib/kube/object';
import { objectRules } from './object-rules';
import { podHealth, podTrouble } from './pod';
import { customHealth } from './standard';
import { HEALTHY, type Health, type HealthRule, progressing } from './verdict';
import { workloadHealthRules } from './workload-rules';

const RULES: ReadonlyMap<string, HealthRule> = new Map([
  ...workloadHealthRules,
  ...objectRules,
  ['/Pod', podHealth] as const,
]);

/**
 * The health of any object by its kind (KUDO pkg/kubernetes/status/health.go without its defects T-06 to
 * T-08). Kinds built into Kubernetes without a rule are healthy; others are judged by their standard conditions.
 * What the controller of the kind has not observed yet (`observedGeneration`) is progressing.
 */
export function kubeHealthOf(object: KubeObject): Health {
  if ((object.metadata.deletionTimestamp ?? '') !== '') return progressing('is being deleted');
  const { group } = parseApiVersion(object.apiVersion);
  const rule = RULES.get(`${group}/${object.kind}`);
  if (rule !== undefined) return rule(object);
  return isBuiltIn(group) ? HEALTHY : customHealth(object);
}

/**
 * One sentence for a person: `StatefulSet orders-db: 2 of 3 ready; pod orders-db-2: ImagePullBackOff`.
 * `pods` are those of the object, if there are any; only what keeps them back is said, at most three of them.
 */
export function healthSentence(object: KubeObject, health: Health, pods: readonly KubeObject[] = []): string {
  const troubles = pods.flatMap((pod) => {
    const trouble = podTrouble(pod);
    return trouble === undefined ? [] : [`pod ${nameOf(pod)}: ${trouble}`];
  });
  const said = troubles.slice(0, 3);
  if (troubles.length > said.length) said.push(`${troubles.length - said.length} more pods`);
  return [`${object.kind} ${nameOf(object)}: ${health.message || health.state}`, ...said].join('; ');
}

/** Groups that the API server itself serves; everything else comes from CRDs and aggregated servers. */
export function isBuiltIn(group: string): boolean {
  return BUILT_IN_GROUPS.has(group);
}

const BUILT_IN_GROUPS: ReadonlySet<string> = new Set([
  '',
  'apps',
  'batch',
  'autoscaling',
  'policy',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'certificates.k8s.io',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'events.k8s.io',
  'flowcontrol.apiserver.k8s.io',
  'internal.apiserver.k8s.io',
  'networking.k8s.io',
  'node.k8s.io',
  'rbac.authorization.k8s.io',
  'resource.k8s.io',
  'scheduling.k8s.io',
  'storage.k8s.io',
  'storagemigration.k8s.io',
]);
