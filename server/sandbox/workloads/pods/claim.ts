import { arrayAt } from '@/lib/json/json';
import type { GroupVersionResource, KubeObject } from '@/lib/kube/object';
import { controllerOf, namespaceOf, parseApiVersion } from '@/lib/kube/object';
import { matchesLabelSelector } from '../../selectors/selector';
import { controllerReference, type WorkloadContext } from '../core/context';
import { isFinished, isTerminating } from './pod-state';

/**
 * The objects of one resource that belong to an owner: those it controls and that its selector chooses; matching orphans
 * are adopted, controlled ones that no longer match are released (Kubernetes controller_ref_manager).
 * Terminating ones of its own are kept in the list.
 */
export function claim(
  context: WorkloadContext,
  owner: KubeObject,
  resource: GroupVersionResource,
  selector: unknown,
): KubeObject[] {
  const claimed: KubeObject[] = [];
  const uid = owner.metadata.uid ?? '';
  for (const object of context.index.dependentsOf(uid, resource.resource)) {
    if (controllerOf(object)?.uid !== uid) continue;
    if (matchesLabelSelector(selector, object.metadata.labels)) claimed.push(object);
    else if (!isTerminating(owner)) release(context, object, resource, uid);
  }
  if (isTerminating(owner)) return claimed;
  for (const object of orphans(context, owner, resource, selector))
    claimed.push(adopt(context, object, resource, owner));
  return claimed;
}

function orphans(
  context: WorkloadContext,
  owner: KubeObject,
  resource: GroupVersionResource,
  selector: unknown,
): KubeObject[] {
  return context.index
    .orphansOf(resource.resource, namespaceOf(owner))
    .filter((object) => !isTerminating(object) && !(object.kind === 'Pod' && isFinished(object)))
    .filter((object) => matchesLabelSelector(selector, object.metadata.labels));
}

function adopt(
  context: WorkloadContext,
  object: KubeObject,
  resource: GroupVersionResource,
  owner: KubeObject,
): KubeObject {
  return context.update(resource, object, (copy) => {
    copy.metadata.ownerReferences = [...(copy.metadata.ownerReferences ?? []), controllerReference(owner)];
  });
}

function release(context: WorkloadContext, object: KubeObject, resource: GroupVersionResource, uid: string): void {
  context.update(resource, object, (copy) => {
    const rest = (copy.metadata.ownerReferences ?? []).filter((reference) => reference.uid !== uid);
    if (rest.length > 0) copy.metadata.ownerReferences = rest;
    else delete copy.metadata.ownerReferences;
  });
}

/** The queue key of the controlling owner when it is of this kind, e.g. `apps` `ReplicaSet`. */
export function* ownerKeys(
  kind: { readonly group: string; readonly kind: string },
  ...objects: readonly (KubeObject | undefined)[]
): Generator<string> {
  for (const object of objects) {
    const owner = object === undefined ? undefined : controllerOf(object);
    if (object === undefined || owner === undefined || owner.kind !== kind.kind) continue;
    if (parseApiVersion(owner.apiVersion).group === kind.group) yield `${namespaceOf(object)}/${owner.name}`;
  }
}

/** The names of the finalizers of an object. */
export function finalizersOf(object: KubeObject): readonly string[] {
  return arrayAt(object, 'metadata', 'finalizers').map(String);
}
