import { request } from '@/components/live/request';
import type { BulkRun } from '@/lib/kube/bulk/run-bulk';
import type { KubeObject } from '@/lib/kube/object';
import { instancePath } from '@/lib/kudo/view/instance-path';
import type { KeptPlace } from '@/lib/places/places';
import type { ObjectAddress } from '../object-address';
import { objectPath } from '../object-address';
import { objectHref } from '../resource-path';

/** One of the objects that a list selected. */
export interface BulkTarget extends ObjectAddress {
  readonly uid: string;
  /** `Deployment`; the plural while the kind is not known. */
  readonly kind: string;
}

/** Of the same group, version and resource, at least one. */
export type BulkTargets = readonly BulkTarget[];

/** What the dialogs of actions take. */
export interface BulkDialogProps {
  readonly targets: BulkTargets;
  /** @param gone the uids of objects that were deleted, which need not stay selected */
  readonly onClose: (gone?: readonly string[]) => void;
}

/** `demo/web`; a cluster-scoped object has only its name. */
export function targetName({ namespace, name }: Pick<BulkTarget, 'namespace' | 'name'>): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

/** `Deployment web`, `3 Deployments`. */
export function countedTargets(targets: BulkTargets): string {
  const [first] = targets;
  if (first !== undefined && targets.length === 1) return `${first.kind} ${first.name}`;
  return `${targets.length} ${first?.kind ?? 'object'}s`;
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

/** The page of an object, as favourites name it. An Instance has one of its own. */
export function placeOfTarget({ type, namespace, name, kind }: BulkTarget): KeptPlace {
  const isInstance = type.group === 'kudo.dev' && type.resource === 'instances';
  return {
    href: isInstance ? instancePath(namespace, name) : objectHref(type, namespace, name),
    label: name,
    note: `${kind}${namespace === '' ? '' : ` in ${namespace}`}`,
  };
}
