import type { JsonSchema } from '../json-schema';

/** What the API server sets, or writes back: not a matter of a form. */
export const SERVER_METADATA: ReadonlySet<string> = new Set([
  ...['managedFields', 'uid', 'resourceVersion', 'creationTimestamp', 'generation', 'selfLink'],
  ...['deletionTimestamp', 'deletionGracePeriodSeconds'],
]);

/** Said once, at the head of the page. */
export const ROOT_HIDDEN: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'status']);

const TEXT: JsonSchema = { type: 'string' };
const TEXTS: JsonSchema = { type: 'object', additionalProperties: TEXT };
const META: JsonSchema = {
  type: 'object',
  properties: { name: TEXT, generateName: TEXT, namespace: TEXT, labels: TEXTS, annotations: TEXTS },
};

const shownByRoot = new WeakMap<JsonSchema, JsonSchema>();

/** The schema of a kind as its form shows it: `metadata` with a name, also where the schema does not describe metadata. */
export function formRootSchema(schema: JsonSchema): JsonSchema {
  const known = shownByRoot.get(schema);
  if (known !== undefined) return known;
  const given = schema.properties?.metadata;
  const metadata = given?.properties === undefined ? META : given;
  const required = [...new Set(['metadata', ...(schema.required ?? [])])];
  const shown: JsonSchema = {
    ...schema,
    type: 'object',
    properties: { ...schema.properties, metadata: { ...metadata, required: ['name'] } },
    // A spec is what most people come for.
    required: schema.properties?.spec === undefined ? required : [...new Set([...required, 'spec'])],
  };
  shownByRoot.set(schema, shown);
  return shown;
}

/** An object inside of another one has the three fields that every object has (`x-kubernetes-embedded-resource`). */
export function withEmbeddedFields(schema: JsonSchema): JsonSchema {
  if (schema['x-kubernetes-embedded-resource'] !== true) return schema;
  const known = shownByRoot.get(schema);
  if (known !== undefined) return known;
  const properties = { apiVersion: TEXT, kind: TEXT, metadata: META, ...schema.properties };
  const shown = { ...schema, properties, required: [...new Set(['apiVersion', 'kind', ...(schema.required ?? [])])] };
  shownByRoot.set(schema, shown);
  return shown;
}
