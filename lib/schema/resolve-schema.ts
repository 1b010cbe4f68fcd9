import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import type { JsonSchema, RawSchema } from './json-schema';

const REF_PREFIX = '#/components/schemas/';

/**
 * Turns component schemas into {@link JsonSchema}s. `$ref`, and `allOf` with one `$ref` beside siblings (the way
 * kube-apiserver publishes a field with a default), are merged into one schema; children are resolved on first reading.
 * The result for one raw schema is always the same object, so that it can be the key of a cache.
 *
 * @param extraDefault a default that the document does not tell of a field, or undefined
 */
export function schemaResolver(
  components: { readonly [name: string]: RawSchema },
  extraDefault: (component: string, field: string) => JsonValue | undefined = () => undefined,
): (raw: RawSchema) => JsonSchema {
  const resolvedByRaw = new WeakMap<RawSchema, JsonSchema>();
  /** One result for all plain references to a component. */
  const byTarget = new WeakMap<RawSchema, JsonSchema>();

  function resolve(raw: RawSchema): JsonSchema {
    const known = resolvedByRaw.get(raw);
    if (known !== undefined) return known;
    const ref = refOf(raw);
    const isPlainRef = typeof raw.$ref === 'string';
    const target = ref === undefined ? undefined : components[ref];
    const shared = target === undefined ? undefined : byTarget.get(target);
    const resolved = isPlainRef && shared !== undefined ? shared : build(raw, target, ref);
    if (isPlainRef && target !== undefined) byTarget.set(target, resolved);
    resolvedByRaw.set(raw, resolved);
    return resolved;
  }

  function build(raw: RawSchema, target: RawSchema | undefined, ref: string | undefined): JsonSchema {
    const { allOf: _allOf, ...siblings } = raw;
    const merged: JsonObject = target === undefined ? { ...raw } : { ...target, ...siblings };
    const { properties, items, additionalProperties, ...rest } = merged;
    const schema: JsonObject = rest;
    if (ref !== undefined) schema.component = ref;
    if (isJsonObject(properties)) lazy(schema, 'properties', () => resolveMembers(properties, ref ?? ''));
    if (isJsonObject(items)) lazy(schema, 'items', () => resolve(items));
    if (isJsonObject(additionalProperties)) {
      lazy(schema, 'additionalProperties', () => resolve(additionalProperties));
    } else if (typeof additionalProperties === 'boolean') schema.additionalProperties = additionalProperties;
    return schema as JsonSchema;
  }

  function resolveMembers(properties: JsonObject, component: string): { [name: string]: JsonSchema } {
    const resolved: { [name: string]: JsonSchema } = {};
    for (const [name, raw] of Object.entries(properties)) {
      if (!isJsonObject(raw)) continue;
      const extra = extraDefault(component, name);
      resolved[name] = extra === undefined ? resolve(raw) : { ...resolve(raw), default: extra };
    }
    return resolved;
  }

  return resolve;
}

function refOf(raw: RawSchema): string | undefined {
  const only = Array.isArray(raw.allOf) && raw.allOf.length === 1 ? raw.allOf[0] : raw;
  const ref = isJsonObject(only) ? only.$ref : undefined;
  return typeof ref === 'string' && ref.startsWith(REF_PREFIX) ? ref.slice(REF_PREFIX.length) : undefined;
}

/** Defines a member that is computed when it is read first and is a plain value from then on. */
function lazy(target: object, key: string, compute: () => unknown): void {
  Object.defineProperty(target, key, {
    configurable: true,
    enumerable: true,
    get() {
      const value = compute();
      Object.defineProperty(target, key, { value, configurable: true, enumerable: true, writable: true });
      return value;
    },
  });
}
