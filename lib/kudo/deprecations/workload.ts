import { cloneJson, getAt, isJsonObject, type JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';

/** The object's spec as a mutable map; a missing spec becomes an empty map. */
export function specOf(object: KubeObject): JsonObject {
  if (isJsonObject(object.spec)) return object.spec;
  const spec: JsonObject = {};
  object.spec = spec;
  return spec;
}

/** apps/v1 requires a selector; before, the labels of the pod template were the selector. */
export function defaultSelector(object: KubeObject): string | undefined {
  const spec = specOf(object);
  delete spec.rollbackTo;
  if (isJsonObject(spec.selector) && Object.keys(spec.selector).length > 0) return undefined;
  const labels = getAt(spec, 'template', 'metadata', 'labels');
  if (!isJsonObject(labels)) return 'it has neither a selector nor labels in its template';
  spec.selector = { matchLabels: cloneJson(labels) };
  return 'its selector is taken from the labels of its template';
}

export function dropTemplateGeneration(object: KubeObject): undefined {
  delete specOf(object).templateGeneration;
  return undefined;
}

/** The default update strategy was OnDelete; today's is RollingUpdate, and a plan can wait for its end. */
export function rollingUpdate(object: KubeObject): string | undefined {
  const spec = specOf(object);
  if (getAt(spec, 'updateStrategy', 'type') !== undefined) return undefined;
  return 'its pods are now replaced one by one when it changes';
}
