import { arrayAt, type JsonObject, type JsonValue, objectAt } from '@/lib/json/json';
import type { GroupVersionResource, KubeObject } from '@/lib/kube/object';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import type { ObjectEvent } from '../../api';
import { findCondition, withoutCondition } from '../core/conditions';
import type { Controller, WorkloadContext } from '../core/context';
import { isStatusCode } from '../core/failures';
import { keyOf } from '../core/owner-index';
import { resources } from '../core/resources';

/**
 * Empties a namespace that is being deleted and lets it go (Kubernetes pkg/controller/namespace). States: Terminating →
 * its objects are deleted → conditions report what remains and which finalizers hold it → `spec.finalizers` is emptied.
 */
export function namespaceController(context: WorkloadContext): Controller {
  return {
    name: 'namespace',
    *keysFor(event) {
      if (isNamespace(event)) {
        if (event.object.metadata.deletionTimestamp !== undefined) yield `/${nameOf(event.object)}`;
        return;
      }
      const namespace = namespaceOf(event.object);
      if (namespace === '') return;
      const owner = context.get(resources.namespaces, '', namespace);
      if (owner?.metadata.deletionTimestamp !== undefined) yield `/${namespace}`;
    },
    reconcile(_, name) {
      const namespace = context.get(resources.namespaces, '', name);
      if (namespace?.metadata.deletionTimestamp === undefined) return undefined;
      return empty(context, namespace);
    },
  };
}

function isNamespace({ resource }: ObjectEvent): boolean {
  return resource.resource === 'namespaces' && resource.group === '';
}

interface Remaining {
  readonly resource: GroupVersionResource;
  readonly objects: readonly KubeObject[];
}

function empty(context: WorkloadContext, namespace: KubeObject): undefined {
  const name = nameOf(namespace);
  for (const { resource, objects } of contentOf(context, name)) {
    for (const object of objects) {
      if (object.metadata.deletionTimestamp !== undefined) continue;
      context.delete(resource, object, { propagation: 'Background' });
    }
  }
  const remaining = contentOf(context, name);
  if (remaining.length > 0) {
    writeConditions(context, namespace, remaining);
    return undefined;
  }
  finalize(context, name);
  return undefined;
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

function writeConditions(context: WorkloadContext, namespace: KubeObject, remaining: readonly Remaining[]): void {
  const present = context.get(resources.namespaces, '', nameOf(namespace));
  if (present === undefined) return;
  const finalizers = new Map<string, number>();
  for (const object of remaining.flatMap((each) => each.objects)) {
    for (const finalizer of object.metadata.finalizers ?? [])
      finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
  }
  const held = [...finalizers].map(([finalizer, count]) => `${finalizer} in ${count} resource instances`).sort();
  const left = remaining
    .map(({ resource, objects }) => `${resource.resource}.${resource.group} has ${objects.length} resource instances`)
    .sort();
  const wanted: [type: string, holds: boolean, reason: string, message: string][] = [
    ['NamespaceDeletionDiscoveryFailure', false, 'ResourcesDiscovered', 'All resources successfully discovered'],
    [
      'NamespaceDeletionGroupVersionParsingFailure',
      false,
      'ParsedGroupVersions',
      'All legacy kube types successfully parsed',
    ],
    [
      'NamespaceDeletionContentFailure',
      false,
      'ContentDeleted',
      'All content successfully deleted, may be waiting on finalization',
    ],
    ['NamespaceContentRemaining', true, 'SomeResourcesRemain', `Some resources are remaining: ${left.join(', ')}`],
    held.length > 0
      ? [
          'NamespaceFinalizersRemaining',
          true,
          'SomeFinalizersRemain',
          `Some content in the namespace has finalizers remaining: ${held.join(', ')}`,
        ]
      : ['NamespaceFinalizersRemaining', false, 'ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
  ];
  let conditions: JsonValue[] = [...arrayAt(present, 'status', 'conditions')];
  for (const [type, holds, reason, message] of wanted) {
    const status = holds ? 'True' : 'False';
    const before = findCondition(conditions, type);
    if (before?.status === status && before.message === message) continue;
    const time = before?.status === status ? (before.lastTransitionTime ?? context.now()) : context.now();
    const made: JsonObject = { type, status, lastTransitionTime: time, reason, message };
    conditions = [...withoutCondition(conditions, type), made];
  }
  context.updateStatus(resources.namespaces, present, { ...objectAt(present, 'status'), conditions });
}

/** Takes `kubernetes` out of `spec.finalizers`; with it the API server removes the namespace. */
function finalize(context: WorkloadContext, name: string): void {
  const namespace = context.get(resources.namespaces, '', name);
  if (namespace === undefined) return;
  const finalizers = arrayAt(namespace, 'spec', 'finalizers').filter((finalizer) => finalizer !== 'kubernetes');
  const spec: JsonObject = { ...objectAt(namespace, 'spec'), finalizers };
  const key = keyOf(resources.namespaces, namespace);
  try {
    context.api.update(key, { ...namespace, spec }, { subresource: 'finalize' });
    if (context.api.get(key) !== undefined) context.delete(resources.namespaces, namespace);
  } catch (error) {
    if (!isStatusCode(error, 404)) throw error;
  }
}
