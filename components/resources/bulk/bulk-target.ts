import { request } from '@/components/live/request';
import type { BulkRun } from '@/lib/kube/bulk/run-bulk';
import type { KubeObject } from '@/lib/kube/object';
import type { ObjectAddress } from '../object-draft';
import { objectPath } from '../object-draft';

/** One of the objects that a list selected. */
export interface BulkTarget extends ObjectAddress {
  readonly uid: string;
  /** `Deployment`; the plural while the kind is not known. */
  readonly kind: string;
}

/** Of the same group, version and resource, at least one. */
export type BulkTargets = readonly BulkTarget[];

/** `demo/web`; a cluster-scoped object has only its name. */
export function targetName({ namespace, name }: Pick<BulkTarget, 'namespace' | 'name'>): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

/** `1 Deployment`, `3 Deployments`. */
export function countedTargets(targets: BulkTargets): string {
  return `${targets.length} ${targets[0]?.kind ?? 'object'}${targets.length === 1 ? '' : 's'}`;
}

/** What a person types before many are deleted: the name of one, else how many. */
export function confirmationOf(targets: BulkTargets): string {
  return targets.length === 1 ? (targets[0]?.name ?? '') : String(targets.length);
}

/** The metadata of an object and nothing else, where the API serves that. @throws RequestError */
export function readMetadata(target: BulkTarget, signal: AbortSignal): Promise<KubeObject> {
  return request<KubeObject>(objectPath(target), {
    accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json',
    signal,
  });
}

/** The action of one object of many: resolves to why it was left as it is. @throws RequestError */
export type BulkAct = BulkRun<BulkTarget>['act'];
