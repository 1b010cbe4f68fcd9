import { isJsonObject, type JsonValue } from '@/lib/json/json';
import type { JsonSchema } from '@/lib/schema/json-schema';

/** Members that a value has whatever its schema says. */
const TYPE_META = ['apiVersion', 'kind', 'metadata'];

/**
 * Takes out every member that the schema does not name, in place (Kubernetes apiextensions pruning). At the root, and
 * where `x-kubernetes-embedded-resource` is set, `apiVersion`, `kind` and `metadata` stay untouched.
 *
 * @returns the paths that were taken out (`spec.a[0].b`), sorted
 */
export function pruneBySchema(value: JsonValue, schema: JsonSchema, isRoot: 'root' | 'part' = 'part'): string[] {
  const pruning = new Pruning();
  pruning.prune(value, schema, isRoot === 'root', '');
  return pruning.unknown.sort();
}

/** One run over a value, with the paths that it has taken out. */
class Pruning {
  readonly unknown: string[] = [];

  prune(value: JsonValue, schema: JsonSchema, isResource: boolean, path: string): void {
    if (Array.isArray(value)) {
      const items = schema.items ?? (preserves(schema) ? undefined : {});
      if (items === undefined) return;
      for (const [index, item] of value.entries()) this.prune(item, items, isEmbedded(items), `${path}[${index}]`);
      return;
    }
    if (!isJsonObject(value)) return;
    for (const name of Object.keys(value)) {
      if (isResource && TYPE_META.includes(name)) continue;
      const member = memberOf(schema, name);
      const memberPath = path === '' ? name : `${path}.${name}`;
      if (member !== undefined) this.prune(value[name] ?? null, member, isEmbedded(member), memberPath);
      else if (!preserves(schema)) {
        delete value[name];
        this.unknown.push(memberPath);
      }
    }
  }
}

function memberOf(schema: JsonSchema, name: string): JsonSchema | undefined {
  if (schema.properties !== undefined && Object.hasOwn(schema.properties, name)) return schema.properties[name];
  // Any member is kept, but nothing is known of what it holds.
  if (schema.additionalProperties === true) return {};
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
}

function preserves(schema: JsonSchema): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true;
}

function isEmbedded(schema: JsonSchema): boolean {
  return schema['x-kubernetes-embedded-resource'] === true;
}
