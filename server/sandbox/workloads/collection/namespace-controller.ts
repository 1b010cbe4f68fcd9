import { arrayAt, type JsonObject, objectAt } from '@/lib/json/json';
import type { GroupVersionResource, KubeObject } from '@/lib/kube/object';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { findCondition } from '../core/conditions';
import type { WorkloadContext, WorkloadController } from '../core/context';
import { keyOf } from '../core/owner-index';
import { resources } from '../core/resources';

/**
 * Empties a namespace that is being deleted and lets it go (Kubernetes pkg/controller/namespace). States: Terminating →
 * its objects are deleted → conditions report what remains and which finalizers hold it → `spec.finalizers` is emptied.
 */
export function namespaceController(context: WorkloadContext): WorkloadController {
  return {
    name: 'namespace',
    *keysFor({ object, resource }) {
      const isNamespace = resource.resource === 'namespaces' && resource.group === '';
      const name = isNamespace ? nameOf(object) : namespaceOf(object);
      if (name !== '' && isGoing(context, name)) yield `/${name}`;
    },
    reconcile(_, name) {
      if (isGoing(context, name)) empty(context, name);
      return undefined;
    },
  };
}

function isGoing(context: WorkloadContext, name: string): boolean {
  return context.get(resources.namespaces, '', name)?.metadata.deletionTimestamp !== undefined;
}

interface Remaining {
  readonly resource: GroupVersionResource;
  readonly objects: readonly KubeObject[];
}

function empty(context: WorkloadContext, name: string): void {
  for (const { resource, objects } of contentOf(context, name)) {
    for (const object of objects) {
      if (object.metadata.deletionTimestamp === undefined)
        context.delete(resource, object, { propagation: 'Background' });
    }
  }
  const remaining = contentOf(context, name);
  const namespace = context.get(resources.namespaces, '', name);
  if (namespace === undefined) return;
  if (remaining.length > 0) writeConditions(context, namespace, remaining);
  else finalize(context, namespace);
}

/** Every object of the namespace, by resource; each resource once, whatever its versions. Pods go last. */
function contentOf(context: WorkloadContext, namespace: string): Remaining[] {
  const seen = new Set<string>();
  const found: Remaining[] = [];
  for (const resource of context.api.resources()) {
    const id = `${resource.resource}.${resource.group}`;
    if (!resource.namespaced || seen.has(id) || id === 'events.events.k8s.io') continue;
    seen.add(id);
    const objects = context.list(resource, namespace);
    if (objects.length > 0) found.push({ resource, objects });
  }
  return found.sort((a, b) => Number(a.resource.resource === 'pods') - Number(b.resource.resource === 'pods'));
}

/** Says what remains and which finalizers hold it. */
function writeConditions(context: WorkloadContext, namespace: KubeObject, remaining: readonly Remaining[]): void {
  const finalizers = new Map<string, number>();
  for (const finalizer of remaining.flatMap(({ objects }) =>
    objects.flatMap(({ metadata }) => metadata.finalizers ?? []),
  ))
    finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
  const held = [...finalizers].map(([finalizer, count]) => `${finalizer} in ${count} resource instances`).sort();
  const left = remaining
    .map(({ resource, objects }) => `${resource.resource}.${resource.group} has ${objects.length} resource instances`)
    .sort();
  const present = arrayAt(namespace, 'status', 'conditions');
  const condition = (type: string, isHeld: boolean, reason: string, message: string): JsonObject => {
    const status = isHeld ? 'True' : 'False';
    const before = findCondition(present, type);
    const time = before?.status === status ? (before.lastTransitionTime ?? null) : context.now();
    return { type, status, lastTransitionTime: time, reason, message };
  };
  const contents = `Some resources are remaining: ${left.join(', ')}`;
  const holding = `Some content in the namespace has finalizers remaining: ${held.join(', ')}`;
  const conditions = [
    condition('NamespaceContentRemaining', true, 'SomeResourcesRemain', contents),
    held.length > 0
      ? condition('NamespaceFinalizersRemaining', true, 'SomeFinalizersRemain', holding)
      : condition(
          'NamespaceFinalizersRemaining',
          false,
          'ContentHasNoFinalizers',
          'All content-preserving finalizers finished',
        ),
  ];
  context.updateStatus(resources.namespaces, namespace, { ...objectAt(namespace, 'status'), conditions });
}

/** Takes `kubernetes` out of `spec.finalizers`; with it the API server removes the namespace. */
function finalize(context: WorkloadContext, namespace: KubeObject): void {
  const finalizers = arrayAt(namespace, 'spec', 'finalizers').filter((finalizer) => finalizer !== 'kubernetes');
  const spec: JsonObject = { ...objectAt(namespace, 'spec'), finalizers };
  const key = keyOf(resources.namespaces, namespace);
  context.api.update(key, { ...namespace, spec }, { subresource: 'finalize' });
  if (context.api.get(key) !== undefined) context.delete(resources.namespaces, namespace);
}
