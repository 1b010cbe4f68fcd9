import { arrayAt, getAt, isJsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { specOf } from './workload';

/** An empty selector meant no pod in policy/v1beta1, and means every pod in policy/v1. */
export function selectNothing(object: KubeObject): string | undefined {
  const selector = specOf(object).selector;
  const isEmpty = isJsonObject(selector) && Object.keys(selector).length === 0;
  return isEmpty ? 'its empty selector meant no pod before and means every pod now' : undefined;
}

/** Subjects of rbac v1alpha1 name their group as `apiVersion`. */
export function dropApiVersionOfSubjects(object: KubeObject): undefined {
  for (const subject of arrayAt(object, 'subjects')) {
    if (!isJsonObject(subject) || typeof subject.apiVersion !== 'string') continue;
    subject.apiGroup ??= subject.apiVersion.includes('/') ? (subject.apiVersion.split('/')[0] ?? '') : '';
    delete subject.apiVersion;
  }
  return undefined;
}

/** certificates.k8s.io/v1 requires a signer. */
export function signerName(object: KubeObject): string | undefined {
  const spec = specOf(object);
  if (typeof spec.signerName === 'string') return undefined;
  spec.signerName = 'kubernetes.io/kube-apiserver-client';
  return 'its signer is set to kubernetes.io/kube-apiserver-client';
}

/** node.k8s.io/v1alpha1 holds the handler in spec. */
export function unwrapRuntimeHandler(object: KubeObject): undefined {
  const handler = getAt(object, 'spec', 'runtimeHandler');
  if (typeof handler === 'string') object.handler = handler;
  delete object.spec;
  return undefined;
}

/** discovery.k8s.io/v1 has separate fields for node and zone. */
export function nodeNameFromTopology(object: KubeObject): undefined {
  for (const endpoint of arrayAt(object, 'endpoints')) {
    if (!isJsonObject(endpoint) || !isJsonObject(endpoint.topology)) continue;
    const { 'kubernetes.io/hostname': node, 'topology.kubernetes.io/zone': zone } = endpoint.topology;
    if (node !== undefined) endpoint.nodeName ??= node;
    if (zone !== undefined) endpoint.zone ??= zone;
    delete endpoint.topology;
  }
  return undefined;
}

const EVENT_FIELDS = [
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
] as const;

/** Templates written with core names of fields keep their meaning in events.k8s.io/v1. */
export function renameEventFields(object: KubeObject): undefined {
  for (const [to, from] of EVENT_FIELDS) {
    if (object[from] === undefined) continue;
    object[to] ??= object[from];
    delete object[from];
  }
  return undefined;
}

/** `assuredConcurrencyShares` was renamed to `nominalConcurrencyShares`. */
export function nameSharesNominal(object: KubeObject): undefined {
  const limited = getAt(object, 'spec', 'limited');
  if (isJsonObject(limited) && limited.assuredConcurrencyShares !== undefined) {
    limited.nominalConcurrencyShares ??= limited.assuredConcurrencyShares;
    delete limited.assuredConcurrencyShares;
  }
  return undefined;
}
