import { type JsonObject, parseJsonObject, stringAt } from '@/lib/json/json';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { typedFaults } from './check-typed';
import { compareObjects } from './compare';
import type { FieldSet } from './field-set';
import { toFieldSet } from './to-field-set';

/** Where kubectl's client-side apply keeps what it applied. */
export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * The fields that kubectl's client-side apply set and that are still as it set them: its server-side apply may take
 * these without force (Kubernetes managedfields lastAppliedManager). Undefined when the annotation is absent or describes
 * nothing of an object of this version and kind.
 */
export function fieldsOfLastApplied(live: JsonObject, apiVersion: string, schema: JsonSchema): FieldSet | undefined {
  const last = parseJsonObject(stringAt(live, 'metadata', 'annotations', LAST_APPLIED) ?? '');
  if (last === undefined || last.apiVersion !== apiVersion || typedFaults(last, schema).length > 0) return undefined;
  const { added, modified, removed } = compareObjects(last, live, schema);
  return toFieldSet(last, schema).difference(modified).difference(added).difference(removed);
}
