import { rfc3339 } from '@/lib/clock/rfc3339';
import { arrayAt, cloneJson, objectAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { withDefinitionCondition } from './crd-names';

export const CRD_STORAGE = 'customresourcedefinitions.apiextensions.k8s.io';
export const CRD_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';

/** A definition as its first DELETE leaves it: marked, and kept until its objects are deleted. */
export function terminated(crd: KubeObject, nowMs: number): KubeObject {
  const copy = cloneJson(crd);
  const { metadata } = copy;
  metadata.deletionTimestamp ??= rfc3339(nowMs);
  metadata.finalizers = [...new Set([...(metadata.finalizers ?? []), CRD_FINALIZER])];
  const condition = {
    type: 'Terminating',
    status: 'True' as const,
    reason: 'InstanceDeletionPending',
    message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  };
  const status = objectAt(copy, 'status');
  copy.status = { ...status, conditions: withDefinitionCondition(arrayAt(status, 'conditions'), condition, nowMs) };
  return copy;
}
