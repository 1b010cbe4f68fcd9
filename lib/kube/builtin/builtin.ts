import { isJsonObject } from '@/lib/json/json';
import type { JsonSchema, RawSchema } from '@/lib/schema/json-schema';
import { schemaResolver } from '@/lib/schema/resolve-schema';
import type { GroupVersionKind, ResourceType } from '../object';
import resourceDocument from './resources.json';
import schemaDocument from './schemas.json';

/**
 * What Kubernetes 1.36 serves by itself: its resources and the schemas of their kinds. The two JSON files hold facts
 * read from kube-apiserver's discovery and OpenAPI v3 documents, without prose.
 */

/** One subresource as discovery lists it. `group` and `version` are empty where they are those of the resource. */
export interface BuiltinSubresource {
  readonly name: string;
  readonly kind: string;
  readonly group: string;
  readonly version: string;
  readonly verbs: readonly string[];
}

/** A built-in resource with its subresources in full. */
export interface BuiltinResource extends ResourceType {
  readonly subresourceTypes: readonly BuiltinSubresource[];
}

interface ResourceEntry {
  group: string;
  version: string;
  resource: string;
  kind: string;
  singular: string;
  scope: string;
  verbs: string[];
  shortNames?: string[];
  categories?: string[];
  subresources?: BuiltinSubresource[];
}

/** Every built-in resource, in the order of discovery. */
export const builtinResources: readonly BuiltinResource[] = (resourceDocument as ResourceEntry[]).map((entry) => ({
  group: entry.group,
  version: entry.version,
  resource: entry.resource,
  kind: entry.kind,
  singular: entry.singular,
  namespaced: entry.scope === 'Namespaced',
  verbs: entry.verbs,
  shortNames: entry.shortNames ?? [],
  categories: entry.categories ?? [],
  subresources: (entry.subresources ?? []).map((subresource) => subresource.name),
  subresourceTypes: entry.subresources ?? [],
}));

/** The component schemas by name, as OpenAPI v3 publishes them (`$ref` unresolved). */
export const builtinSchemas = schemaDocument as unknown as { readonly [name: string]: RawSchema };

/**
 * Times that Kubernetes writes as null when they are not set, because their Go fields are no pointers; the OpenAPI
 * document does not tell.
 */
const NULL_TIMES = new Set([
  'lastTransitionTime',
  'lastProbeTime',
  'lastUpdateTime',
  'lastHeartbeatTime',
  'firstTimestamp',
  'lastTimestamp',
  'eventTime',
  'deprecatedFirstTimestamp',
  'deprecatedLastTimestamp',
  'lastObservedTime',
  'startedAt',
  'finishedAt',
]);

const resolve = schemaResolver(builtinSchemas, (_component, field) => (NULL_TIMES.has(field) ? null : undefined));
const references = new Map<string, RawSchema>();
let nameByKind: Map<string, string> | undefined;

/** The resolved schema of a built-in kind (lists and options included), or undefined when Kubernetes has no such kind. */
export function builtinSchema(gvk: GroupVersionKind): JsonSchema | undefined {
  const name = builtinSchemaName(gvk);
  return name === undefined ? undefined : componentSchema(name);
}

/** The name of the component schema of a kind: `io.k8s.api.core.v1.Pod`. */
export function builtinSchemaName(gvk: GroupVersionKind): string | undefined {
  nameByKind ??= indexByKind();
  return nameByKind.get(kindKey(gvk));
}

/** The resolved schema of a component by its name, such as `io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta`. */
export function componentSchema(name: string): JsonSchema | undefined {
  if (!Object.hasOwn(builtinSchemas, name)) return undefined;
  let reference = references.get(name);
  if (reference === undefined) {
    reference = { $ref: `#/components/schemas/${name}` };
    references.set(name, reference);
  }
  return resolve(reference);
}

/** The schema of `metadata`, the same for every kind. */
export function objectMetaSchema(): JsonSchema {
  const schema = componentSchema('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');
  if (schema === undefined) throw new Error('the built-in schemas lack ObjectMeta');
  return schema;
}

function indexByKind(): Map<string, string> {
  const index = new Map<string, string>();
  for (const [name, schema] of Object.entries(builtinSchemas)) {
    const kinds = schema['x-kubernetes-group-version-kind'];
    if (!Array.isArray(kinds)) continue;
    for (const gvk of kinds) {
      if (!isJsonObject(gvk)) continue;
      index.set(kindKey({ group: String(gvk.group), version: String(gvk.version), kind: String(gvk.kind) }), name);
    }
  }
  return index;
}

function kindKey(gvk: GroupVersionKind): string {
  return `${gvk.group}/${gvk.version}/${gvk.kind}`;
}
