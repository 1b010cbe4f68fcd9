import type { JsonObject, JsonValue } from '@/lib/json/json';
import { isJsonObject } from '@/lib/json/json';
import type { FormField } from '@/lib/kudo/view/form-model';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { validateBySchema } from '@/lib/schema/validate-by-schema';
import { resourceSpecPatch } from './spec-form';

/** What is wrong, with a path such as `spec.size` or `spec.pods[2].name`. */
export interface FieldCause {
  readonly field: string;
  readonly message: string;
}

/** Problems of a spec: at the fields of its form, and those that no field has. */
export interface SpecProblems {
  /** By the name of the field. */
  readonly byField: ReadonlyMap<string, string>;
  readonly others: readonly FieldCause[];
}

/** The spec of a new resource: the values that were entered, without those that are empty. */
export function newSpec(fields: readonly FormField[], values: ReadonlyMap<string, string>): JsonObject {
  return withoutNulls(resourceSpecPatch(fields, values));
}

/**
 * What the schema says of a spec before it is sent. A field that is missing is left to the API server, which fills in defaults first; so are
 * rules in CEL.
 */
export function schemaCauses(spec: JsonObject, schema: JsonSchema): FieldCause[] {
  return validateBySchema(spec, schema, 'spec')
    .filter(({ type }) => type !== 'FieldValueRequired')
    .map(({ field, message }) => ({ field, message }));
}

/** Puts each cause to the field that it is about: the one with its path, or the one that holds it. The first cause of a field counts. */
export function problemsAtFields(causes: readonly FieldCause[], fields: readonly FormField[]): SpecProblems {
  const byField = new Map<string, string>();
  const others: FieldCause[] = [];
  for (const cause of causes) {
    const path = cause.field.replace(/^spec\./, '');
    const field = fields.find(
      ({ name }) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`),
    );
    if (field === undefined || !cause.field.startsWith('spec.')) others.push(cause);
    else if (!byField.has(field.name)) byField.set(field.name, cause.message);
  }
  return { byField, others };
}

function withoutNulls(object: JsonObject): JsonObject {
  const kept: [string, JsonValue][] = Object.entries(object).flatMap(([name, value]): [string, JsonValue][] => {
    if (value === null || value === undefined) return [];
    return [[name, isJsonObject(value) ? withoutNulls(value) : value]];
  });
  return Object.fromEntries(kept);
}
