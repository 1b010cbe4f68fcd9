import { formatTime } from '@/lib/clock/clock';
import type { JsonObject, JsonValue } from '@/lib/json/json';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { OWN_KIND_FINALIZER } from '@/lib/kudo/own-kinds/names';
import { type OwnState, statusPatch } from '@/lib/kudo/own-kinds/own-status';
import type { ExpressionScope, OwnKind } from '@/lib/kudo/own-kinds/types';
import type { Target } from '@/server/kube/api';
import type { OwnKindDeps } from './own-kind-deps';
import type { WatchedResource } from './own-kind-watches';

export function resourceTarget({ resource, target }: WatchedResource): Target {
  return { ...target, namespace: namespaceOf(resource), name: nameOf(resource) };
}

/** Writes the status where it differs. */
export async function writeResourceStatus(
  deps: OwnKindDeps,
  watched: WatchedResource,
  said: { readonly kind: OwnKind; readonly state: OwnState; readonly scope: ExpressionScope },
): Promise<void> {
  const { resource } = watched;
  const status = statusPatch(resource, said, formatTime(deps.clock.now()));
  if (status === undefined) return;
  await deps.api.patch(resourceTarget(watched), 'merge', guarded(watched, { status }), { subresource: 'status' });
}

export function hasKindFinalizer({ resource }: WatchedResource): boolean {
  return resource.metadata.finalizers?.includes(OWN_KIND_FINALIZER) === true;
}

export async function addKindFinalizer(deps: OwnKindDeps, watched: WatchedResource): Promise<void> {
  const finalizers = [...(watched.resource.metadata.finalizers ?? []), OWN_KIND_FINALIZER];
  await deps.api.patch(resourceTarget(watched), 'merge', guarded(watched, { metadata: { finalizers } }));
}

export async function removeKindFinalizer(deps: OwnKindDeps, watched: WatchedResource): Promise<void> {
  const finalizers = (watched.resource.metadata.finalizers ?? []).filter((each) => each !== OWN_KIND_FINALIZER);
  await deps.api.patch(resourceTarget(watched), 'merge', guarded(watched, { metadata: { finalizers } }));
}

/** A patch that is refused when the resource is not as it was decided upon. */
function guarded({ resource }: WatchedResource, patch: JsonObject): JsonValue {
  const metadata = typeof patch.metadata === 'object' ? patch.metadata : {};
  return { ...patch, metadata: { ...metadata, resourceVersion: resource.metadata.resourceVersion ?? '' } };
}
