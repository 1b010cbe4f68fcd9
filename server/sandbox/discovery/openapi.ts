import { createHash } from 'node:crypto';
import { cloneJson, isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import { builtinSchemaName, builtinSchemas } from '@/lib/kube/builtin/builtin';
import type { GroupVersionKind } from '@/lib/kube/object';
import type { ResourceInfo } from '../registry/resource-info';
import type { ResourceTable } from '../registry/resource-table';
import { cachedByGeneration } from './cached-by-generation';
import { kindOfSubresource, pathsOf } from './openapi-paths';

/** OpenAPI v3 by group and version, and the older v2 of everything; made when asked for and kept until resources change. */
export interface OpenApi {
  /** `/openapi/v3` */
  index(): string;
  /** `/openapi/v3/apis/GROUP/VERSION`; undefined when there is none. */
  document(path: string): string | undefined;
  /** `/openapi/v2` */
  v2(): string;
}

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const REF = '#/components/schemas/';
const INFO = { title: 'Kubernetes', version: 'v1.36.2' };

const API_VERSION_DESCRIPTION =
  'APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources';
const KIND_DESCRIPTION =
  'Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds';
const METADATA_DESCRIPTION =
  "Standard object's metadata. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata";

export function openApiOf(table: ResourceTable): OpenApi {
  const cached = cachedByGeneration(table);
  const document = (path: string): string | undefined => cached(path, () => documentJson(table, path));
  return {
    index: () => cached('index', () => indexJson(table)) ?? '',
    document,
    v2: () => cached('v2', () => swagger(table)) ?? '',
  };
}

function pathOf({ group, version }: ResourceInfo): string {
  return group === '' ? `api/${version}` : `apis/${group}/${version}`;
}

/** Counts up when documents are made in another way: clients keep what they read under its hash for ever. */
const MAKING = 'documents 2';

/** The hash names what a document is made from, so that it need not be made to be named. */
function indexJson(table: ResourceTable): string {
  const paths: { [path: string]: { serverRelativeURL: string } } = {};
  const hashes = new Map<string, ReturnType<typeof createHash>>();
  for (const info of table.all()) {
    const path = pathOf(info);
    const hash = hashes.get(path) ?? createHash('sha256').update(MAKING);
    hashes.set(path, hash.update(`${info.resource} ${info.kind} ${JSON.stringify(info.custom?.schema ?? '')}`));
  }
  for (const [path, hash] of hashes) {
    paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${hash.digest('hex').toUpperCase().slice(0, 32)}` };
  }
  return JSON.stringify({ paths });
}

function documentJson(table: ResourceTable, path: string): string | undefined {
  const infos = table.all().filter((info) => pathOf(info) === path);
  if (infos.length === 0) return undefined;
  const schemas = schemasOf(infos);
  const paths = Object.assign({}, ...infos.map((info) => pathsOf(info, schemaNameOf(infos))));
  return JSON.stringify({ openapi: '3.0.0', info: INFO, paths, components: { schemas } });
}

function schemaNameOf(infos: readonly ResourceInfo[]): (gvk: GroupVersionKind) => string | undefined {
  const customGroups = new Set(infos.filter((info) => info.custom !== undefined).map((info) => info.group));
  return (gvk) => (customGroups.has(gvk.group) ? customName(gvk.group, gvk.version, gvk.kind) : builtinSchemaName(gvk));
}

/** `com.example.v1.Widget` */
function customName(group: string, version: string, kind: string): string {
  return `${group.split('.').reverse().join('.')}.${version}.${kind}`;
}

/** The schemas of the resources and all that they refer to. */
function schemasOf(infos: readonly ResourceInfo[]): JsonObject {
  const schemas: JsonObject = {};
  for (const info of infos) {
    if (info.custom !== undefined) Object.assign(schemas, customSchemas(info));
    const kinds = [
      info,
      { ...info, kind: info.listKind },
      ...info.subresources.map((sub) => kindOfSubresource(info, sub)),
    ];
    for (const kind of kinds) addBuiltin(schemas, builtinSchemaName(kind));
  }
  for (const name of ['ObjectMeta', 'ListMeta', 'DeleteOptions', 'Status', 'Patch', 'WatchEvent']) {
    addBuiltin(schemas, `${META}.${name}`);
  }
  return schemas;
}

function addBuiltin(schemas: JsonObject, name: string | undefined): void {
  if (name === undefined || Object.hasOwn(schemas, name)) return;
  const schema = Object.hasOwn(builtinSchemas, name) ? builtinSchemas[name] : undefined;
  if (schema === undefined) return;
  schemas[name] = schema as unknown as JsonObject;
  for (const reference of referencesIn(schema as unknown as JsonValue)) addBuiltin(schemas, reference);
}

function* referencesIn(value: JsonValue): IterableIterator<string> {
  if (Array.isArray(value)) for (const member of value) yield* referencesIn(member);
  if (!isJsonObject(value)) return;
  for (const [key, member] of Object.entries(value)) {
    if (key === '$ref' && typeof member === 'string' && member.startsWith(REF)) yield member.slice(REF.length);
    else if (member !== undefined) yield* referencesIn(member);
  }
}

function customSchemas(info: ResourceInfo): JsonObject {
  const { group, version, kind, listKind } = info;
  const given = isJsonObject(info.custom?.schema) ? (publish(cloneJson(info.custom.schema)) as JsonObject) : {};
  const metadata = { allOf: [{ $ref: `${REF}${META}.ObjectMeta` }], description: METADATA_DESCRIPTION };
  const typeFields = {
    apiVersion: { description: API_VERSION_DESCRIPTION, type: 'string' },
    kind: { description: KIND_DESCRIPTION, type: 'string' },
  };
  const properties = isJsonObject(given.properties) ? given.properties : {};
  const item: JsonObject = {
    ...given,
    type: 'object',
    properties: { ...properties, ...typeFields, metadata },
    'x-kubernetes-group-version-kind': [{ group, version, kind }],
  };
  const list: JsonObject = {
    description: `${listKind} is a list of ${kind}`,
    type: 'object',
    required: ['items'],
    properties: {
      ...typeFields,
      items: {
        description: `List of ${info.resource}.`,
        type: 'array',
        items: { $ref: `${REF}${customName(group, version, kind)}` },
      },
      metadata: { allOf: [{ $ref: `${REF}${META}.ListMeta` }], description: METADATA_DESCRIPTION },
    },
    'x-kubernetes-group-version-kind': [{ group, version, kind: listKind }],
  };
  return { [customName(group, version, kind)]: item, [customName(group, version, listKind)]: list };
}

/** What a structural schema becomes in OpenAPI: int-or-string spelled out, embedded resources described by their fields. */
function publish(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(publish);
  if (!isJsonObject(schema)) return schema;
  const result: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    if (value !== undefined)
      result[key] = key === 'default' || key === 'enum' || key === 'example' ? value : publish(value);
  }
  if (result['x-kubernetes-int-or-string'] === true && result.anyOf === undefined) {
    result.anyOf = [{ type: 'integer' }, { type: 'string' }];
  }
  return result;
}

/** OpenAPI v2 (Swagger): the definitions, without paths. */
function swagger(table: ResourceTable): string {
  const definitions = JSON.stringify(schemasOf(table.all())).replaceAll(REF, '#/definitions/');
  return JSON.stringify({ swagger: '2.0', info: INFO, paths: {} }).replace(/}$/, `,"definitions":${definitions}}`);
}
