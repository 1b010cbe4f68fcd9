import { cloneJson, objectAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { namespaceOf } from '@/lib/kube/object';
import { controllerReference } from '../core/context';

/**
 * A pod made from an owner's `spec.template` (Kubernetes controller.GetPodFromTemplate): its labels, annotations,
 * finalizers and spec, a generated name and the owner as controller.
 */
export function podFromTemplate(owner: KubeObject, template: unknown, generateName: string): KubeObject {
  const metadata = cloneJson(objectAt(template, 'metadata'));
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName,
      namespace: namespaceOf(owner),
      labels: stringMap(metadata.labels),
      ...(metadata.annotations === undefined ? {} : { annotations: stringMap(metadata.annotations) }),
      ...(Array.isArray(metadata.finalizers) ? { finalizers: metadata.finalizers.map(String) } : {}),
      ownerReferences: [controllerReference(owner)],
    },
    spec: cloneJson(objectAt(template, 'spec')),
  };
}

/** A map of strings, from outside data. */
export function stringMap(value: unknown): { [key: string]: string } {
  const result: { [key: string]: string } = {};
  for (const [key, member] of Object.entries(objectAt(value))) result[key] = String(member);
  return result;
}
