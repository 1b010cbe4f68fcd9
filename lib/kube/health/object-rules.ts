import { arrayAt, getAt, stringAt } from '@/lib/json/json';
import { conditionByType, hasCondition } from '@/lib/kube/conditions';
import type { KubeObject } from '@/lib/kube/object';
import { failed, HEALTHY, type Health, type HealthRule, progressing } from './verdict';

/** Rules for kinds that make no pods, by `group/Kind`. */
export const objectRules: readonly (readonly [string, HealthRule])[] = [
  ['/Service', serviceHealth],
  ['/Namespace', namespaceHealth],
  ['apiextensions.k8s.io/CustomResourceDefinition', crdHealth],
  ['/PersistentVolumeClaim', claimHealth],
  ['apiregistration.k8s.io/APIService', apiServiceHealth],
];

function serviceHealth(object: KubeObject): Health {
  const type = stringAt(object.spec, 'type');
  if (type === 'ExternalName') return HEALTHY;
  if ((stringAt(object.spec, 'clusterIP') ?? '') === '') return progressing('has no cluster address yet');
  if (type !== 'LoadBalancer') return HEALTHY;
  const ingress = getAt(object.status, 'loadBalancer', 'ingress');
  const hasAddress = arrayAt(object.spec, 'externalIPs').length > 0 || (ingress !== undefined && ingress !== null);
  return hasAddress ? HEALTHY : progressing('has no external address yet');
}

function namespaceHealth(object: KubeObject): Health {
  const phase = stringAt(object.status, 'phase') ?? '';
  return phase === 'Active' ? HEALTHY : progressing(phase === '' ? 'is not active yet' : `is ${phase}`);
}

function crdHealth(object: KubeObject): Health {
  if (hasCondition(object, 'Established')) return HEALTHY;
  const names = conditionByType(object, 'NamesAccepted');
  return progressing(names?.status === 'False' ? `its names are not accepted: ${names.message}` : 'is not served yet');
}

/** A claim that waits is no fault: many bind when their first pod comes, and that may be a later step. */
function claimHealth(object: KubeObject): Health {
  return stringAt(object.status, 'phase') === 'Lost' ? failed('has lost its volume') : HEALTHY;
}

function apiServiceHealth(object: KubeObject): Health {
  const available = conditionByType(object, 'Available');
  return available?.status === 'True' ? HEALTHY : progressing(available?.message || 'is not available yet');
}
