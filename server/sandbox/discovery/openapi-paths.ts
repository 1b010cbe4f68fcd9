import type { ResourceInfo } from '../registry/resource-info';

interface Operation {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly action: string;
  readonly parameters: readonly string[];
}

const WRITE = ['dryRun', 'fieldManager', 'fieldValidation'];
const LIST = `allowWatchBookmarks continue fieldSelector labelSelector limit resourceVersion resourceVersionMatch
  sendInitialEvents timeoutSeconds watch`.split(/\s+/);
const DELETE = ['dryRun', 'gracePeriodSeconds', 'orphanDependents', 'propagationPolicy'];

const COLLECTION: { readonly [verb: string]: Operation } = {
  list: { method: 'get', action: 'list', parameters: LIST },
  create: { method: 'post', action: 'post', parameters: WRITE },
  deletecollection: { method: 'delete', action: 'deletecollection', parameters: [...DELETE, ...LIST] },
};
const ITEM: { readonly [verb: string]: Operation } = {
  get: { method: 'get', action: 'get', parameters: [] },
  create: { method: 'post', action: 'post', parameters: WRITE },
  update: { method: 'put', action: 'put', parameters: WRITE },
  patch: { method: 'patch', action: 'patch', parameters: [...WRITE, 'force'] },
  delete: { method: 'delete', action: 'delete', parameters: DELETE },
};
const PATCH_TYPES = ['application/apply-patch+yaml', 'application/json-patch+json', 'application/merge-patch+json'];
/** Of built-in kinds only: `kubectl apply` reads here how it may patch a kind. */
const STRATEGIC_PATCH = 'application/strategic-merge-patch+json';

type Json = { [key: string]: unknown };

/** The OpenAPI v3 paths of a resource: collection, item and subresources, with the query parameters that clients look for. */
export function pathsOf(
  info: ResourceInfo,
  schemaNameOf: (group: string, version: string, kind: string) => string | undefined,
): Json {
  const root = info.group === '' ? `/api/${info.version}` : `/apis/${info.group}/${info.version}`;
  const base = info.namespaced ? `${root}/namespaces/{namespace}/${info.resource}` : `${root}/${info.resource}`;
  const { group, version, kind, listKind } = info;
  const patches = info.custom === undefined ? [...PATCH_TYPES, STRATEGIC_PATCH] : PATCH_TYPES;
  const own = { gvk: { group, version, kind }, schema: schemaNameOf(group, version, kind), patches };
  const list = { ...own, schema: schemaNameOf(group, version, listKind) };
  const paths: Json = {};
  const collection = operations(COLLECTION, info.verbs, (verb) => (verb === 'list' ? list : own));
  if (Object.keys(collection).length > 0) paths[base] = withNamespace(collection, info, false);
  if (info.namespaced && info.verbs.includes('list')) {
    paths[`${root}/${info.resource}`] = operations(COLLECTION, ['list'], () => list);
  }
  const item = operations(
    ITEM,
    info.verbs.filter((verb) => verb !== 'create'),
    () => own,
  );
  if (Object.keys(item).length > 0) paths[`${base}/{name}`] = withNamespace(item, info, true);
  for (const sub of info.subresources) {
    const gvk = {
      group: sub.group === '' ? group : sub.group,
      version: sub.version === '' ? version : sub.version,
      kind: sub.kind,
    };
    const target = { gvk, schema: schemaNameOf(gvk.group, gvk.version, gvk.kind), patches };
    paths[`${base}/{name}/${sub.name}`] = withNamespace(
      operations(ITEM, sub.verbs, () => target),
      info,
      true,
    );
  }
  return paths;
}

interface Target {
  readonly gvk: { readonly group: string; readonly version: string; readonly kind: string };
  readonly schema: string | undefined;
  /** Media types of the patches that it takes. */
  readonly patches: readonly string[];
}

function operations(
  known: { readonly [verb: string]: Operation },
  verbs: readonly string[],
  targetOf: (verb: string) => Target,
): Json {
  const result: Json = {};
  for (const verb of verbs) {
    const operation = known[verb];
    if (operation !== undefined) result[operation.method] = operationJson(operation, targetOf(verb));
  }
  return result;
}

function operationJson({ method, action, parameters }: Operation, { gvk, schema, patches }: Target): Json {
  const reference = schema === undefined ? {} : { schema: { $ref: `#/components/schemas/${schema}` } };
  const content = { 'application/json': reference };
  const json: Json = {
    parameters: parameters.map((name) => ({ name, in: 'query', schema: { type: 'string', uniqueItems: true } })),
    responses: { '200': { description: 'OK', content } },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': gvk,
  };
  if (method === 'post' || method === 'put') json.requestBody = { content: { '*/*': reference } };
  if (method === 'patch') {
    json.requestBody = {
      content: Object.fromEntries(patches.map((type) => [type, { schema: { type: 'object' } }])),
    };
  }
  return json;
}

function withNamespace(path: Json, info: ResourceInfo, hasName: boolean): Json {
  const required = (name: string): Json => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', uniqueItems: true },
  });
  const parameters = [...(hasName ? [required('name')] : []), ...(info.namespaced ? [required('namespace')] : [])];
  return parameters.length === 0 ? path : { ...path, parameters };
}
