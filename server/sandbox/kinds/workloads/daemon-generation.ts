import { type JsonObject, jsonEqual } from '@/lib/json/json';
import { ensureObject, objectOf, textOf } from '../base/access';

const ANNOTATION = 'deprecated.daemonset.template.generation';

/** Counts the templates that a DaemonSet had, in an annotation (Kubernetes pkg/registry/apps/daemonset, apps/v1 conversion). */
export function markTemplate(object: JsonObject, old: JsonObject | undefined): void {
  const before = Number(textOf(objectOf(objectOf(old, 'metadata'), 'annotations'), ANNOTATION) || '0');
  const changed = !jsonEqual(objectOf(object, 'spec')?.template, objectOf(old, 'spec')?.template);
  const annotations = ensureObject(ensureObject(object, 'metadata'), 'annotations');
  annotations[ANNOTATION] = String(Math.max(1, changed ? before + 1 : before));
}
