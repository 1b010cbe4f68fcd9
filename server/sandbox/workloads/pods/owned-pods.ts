import { type JsonObject, objectAt } from '@/lib/json/json';
import type { GroupVersionResource, KubeObject } from '@/lib/kube/object';
import { controllerOf, namespaceOf } from '@/lib/kube/object';
import type { ObjectEvent } from '../../api';
import { matchesLabelSelector } from '../../selectors/selector';
import { queueKey, type WorkloadContext } from '../core/context';
import { ownerKeys } from './claim';

/** The kind of an owner and the resource of what it owns. */
export interface Ownership {
  readonly owner: GroupVersionResource & { readonly kind: string };
  readonly owned: GroupVersionResource;
}

/** The LabelSelector of an owner. */
export function selectorOf(owner: KubeObject): JsonObject {
  return objectAt(owner, 'spec', 'selector');
}

/**
 * Which owners a change concerns: the owner itself; the controller of a changed dependent, now and before; and for one
 * without a controller every owner in its namespace that would adopt it.
 */
export function* ownersToReconcile(
  context: WorkloadContext,
  ownership: Ownership,
  event: ObjectEvent,
  before: KubeObject | undefined,
): Generator<string> {
  const { owner, owned } = ownership;
  const { resource, group } = event.resource;
  if (resource === owner.resource && group === owner.group) {
    yield queueKey(event.object);
    return;
  }
  if (resource !== owned.resource || group !== owned.group) return;
  yield* ownerKeys(owner, event.object, before);
  if (event.type === 'DELETED' || controllerOf(event.object) !== undefined) return;
  const labels = event.object.metadata.labels;
  if (labels === undefined) return;
  for (const candidate of context.list(owner, namespaceOf(event.object))) {
    if (matchesLabelSelector(selectorOf(candidate), labels)) yield queueKey(candidate);
  }
}
