import { formatTime } from '@/lib/clock/clock';
import { nameOf, namespacedName, namespaceOf } from '@/lib/kube/object';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { lockInForce } from '@/lib/kudo/lock/instance-lock';
import { KEEP_ANNOTATION } from '@/lib/kudo/names';
import { stateOfInstance } from '@/lib/kudo/own-kinds/instance-state';
import type { BrokenRule } from '@/lib/kudo/own-kinds/judge-rules';
import { OWNED_BY_ANNOTATION, ownerText } from '@/lib/kudo/own-kinds/names';
import type { OwnKind } from '@/lib/kudo/own-kinds/types';
import type { Instance } from '@/lib/kudo/types';
import { CRDS } from '@/server/kube/install-crds';
import { ON_CHANGE, type OwnKindDeps, REFUSED_MS, type ResourceWake, SOON_MS } from './own-kind-deps';
import type { WatchedResource } from './own-kind-watches';
import { readReplicas } from './read-replicas';
import { hasKindFinalizer, removeKindFinalizer, writeResourceStatus } from './write-resource';

const NO_RULES = { blocking: undefined, noted: undefined };

/**
 * A resource is being deleted: its Instance is deleted, with its plan `cleanup`, and the resource after it. The Instance stays when the
 * resource is not what a person deletes: when the whole kind goes (`kubectl delete crd`), with `--cascade=orphan`, and with the
 * annotation `bravo.kudo.dev/keep`. A lock of the Instance holds the deletion.
 *
 * @param kind for the status; undefined when no version of the operator is installed
 */
export async function finalizeResource(
  deps: OwnKindDeps,
  watched: WatchedResource,
  kind: OwnKind | undefined,
): Promise<ResourceWake> {
  if (!hasKindFinalizer(watched)) return ON_CHANGE;
  const { resource } = watched;
  const target = { ...INSTANCES, namespace: namespaceOf(resource), name: nameOf(resource) };
  const instance = (await deps.api.get(target)) as Instance | undefined;
  const isOurs = instance?.metadata.annotations?.[OWNED_BY_ANNOTATION] === ownerText(resource);
  if (instance === undefined || !isOurs) {
    await removeKindFinalizer(deps, watched);
    return ON_CHANGE;
  }
  const isDeleting = (instance.metadata.deletionTimestamp ?? '') !== '';
  if (!isDeleting && (await keepsInstance(deps, watched))) {
    const { resourceVersion = '' } = instance.metadata;
    const metadata = { resourceVersion, annotations: { [OWNED_BY_ANNOTATION]: null } };
    await deps.api.patch(target, 'merge', { metadata });
    await removeKindFinalizer(deps, watched);
    deps.events.recordOnce(instance, `kept ${resource.metadata.uid ?? ''}`, {
      type: 'Normal',
      reason: 'InstanceKept',
      message: `${resource.kind} ${nameOf(resource)} was deleted, and the Instance was not.`,
    });
    return ON_CHANGE;
  }
  const held = isDeleting ? undefined : lockedDeletion(instance, deps.clock.now());
  if (!isDeleting && held === undefined) {
    const { uid, resourceVersion } = instance.metadata;
    await deps.api.delete(target, { uid, resourceVersion, propagation: 'Background' });
  }
  if (kind !== undefined) {
    const shown = isDeleting || held !== undefined ? instance : withDeletion(instance, deps.clock.now());
    const facts = { resource, kind, instance: shown, replicas: readReplicas(deps, resource), rules: NO_RULES };
    const state = stateOfInstance({ ...facts, problem: held });
    await writeResourceStatus(deps, watched, { kind, state, scope: { self: resource, instance: shown } });
  }
  return { afterMs: held === undefined ? SOON_MS * 10 : REFUSED_MS, instance: namespacedName(instance) };
}

async function keepsInstance(deps: OwnKindDeps, { resource, crd }: WatchedResource): Promise<boolean> {
  const { finalizers = [], annotations = {} } = resource.metadata;
  if (finalizers.includes('orphan') || annotations[KEEP_ANNOTATION] === 'true') return true;
  // Read live: the resources of a deleted CRD are deleted a moment after it.
  const live = await deps.api.get({ ...CRDS, name: crd });
  return live === undefined || (live.metadata.deletionTimestamp ?? '') !== '';
}

function lockedDeletion(instance: Instance, nowMs: number): BrokenRule | undefined {
  const lock = lockInForce(instance, nowMs);
  if (lock === undefined) return undefined;
  const message = `Instance ${nameOf(instance)} is locked until ${lock.until}: ${lock.reason}. It is deleted when the lock is over, or taken off with \`bravo unlock\`.`;
  return { reason: 'InstanceLocked', message };
}

/** As the Instance will be a moment later. */
function withDeletion(instance: Instance, nowMs: number): Instance {
  return { ...instance, metadata: { ...instance.metadata, deletionTimestamp: formatTime(nowMs) } };
}
