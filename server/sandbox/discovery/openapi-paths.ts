import type { GroupVersionKind } from '@/lib/kube/object';
import type { ResourceInfo, SubresourceInfo } from '../registry/resource-info';

/** The HTTP method of a verb and what OpenAPI calls the action. */
const OPERATIONS: { readonly [verb: string]: readonly [method: string, action: string] } = {
  list: ['get', 'list'],
  create: ['post', 'post'],
  deletecollection: ['delete', 'deletecollection'],
  get: ['get', 'get'],
  update: ['put', 'put'],
  patch: ['patch', 'patch'],
  delete: ['delete', 'delete'],
};
const OF_COLLECTION = ['list', 'create', 'deletecollection'];
/** The query parameters that kubectl looks for before it uses them. */
const PARAMETERS = ['dryRun', 'fieldManager', 'fieldValidation', 'force'];
const PATCH_TYPES = ['application/apply-patch+yaml', 'application/json-patch+json', 'application/merge-patch+json'];
/** Of built-in kinds only: `kubectl apply` reads here how it may patch a kind. */
const STRATEGIC_PATCH = 'application/strategic-merge-patch+json';

type Json = { [key: string]: unknown };

/** The OpenAPI v3 paths of a resource: collection, item and subresources. */
export function pathsOf(info: ResourceInfo, schemaNameOf: (gvk: GroupVersionKind) => string | undefined): Json {
  const { group, version, kind, listKind, verbs } = info;
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const base = info.namespaced ? `${root}/namespaces/{namespace}/${info.resource}` : `${root}/${info.resource}`;
  const patches = info.custom === undefined ? [...PATCH_TYPES, STRATEGIC_PATCH] : PATCH_TYPES;
  const paths: Json = {};
  const add = (path: string, allowed: readonly string[], gvk: GroupVersionKind): void => {
    const operations = allowed.filter((verb) => OPERATIONS[verb] !== undefined);
    if (operations.length === 0) return;
    const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => parameter(name ?? '', 'path')).reverse();
    paths[path] = { ...(parameters.length === 0 ? {} : { parameters }) };
    for (const verb of operations) {
      const schema = schemaNameOf(verb === 'list' ? { ...gvk, kind: listKind } : gvk);
      Object.assign(paths[path] as Json, operation(verb, gvk, schema, patches));
    }
  };
  const own = { group, version, kind };
  const item = verbs.filter((verb) => !OF_COLLECTION.includes(verb));
  if (info.namespaced && verbs.includes('list')) add(`${root}/${info.resource}`, ['list'], own);
  add(
    base,
    verbs.filter((verb) => OF_COLLECTION.includes(verb)),
    own,
  );
  add(`${base}/{name}`, item, own);
  for (const sub of info.subresources) add(`${base}/{name}/${sub.name}`, sub.verbs, kindOfSubresource(info, sub));
  return paths;
}

export function kindOfSubresource(info: ResourceInfo, { group, version, kind }: SubresourceInfo): GroupVersionKind {
  return { group: group || info.group, version: version || info.version, kind };
}

function parameter(name: string, place: 'path' | 'query'): Json {
  const schema = { type: 'string', uniqueItems: true };
  return { name, in: place, ...(place === 'path' ? { required: true } : {}), schema };
}

function operation(
  verb: string,
  gvk: GroupVersionKind,
  schemaName: string | undefined,
  patches: readonly string[],
): Json {
  const [method = '', action] = OPERATIONS[verb] ?? [];
  const reference = schemaName === undefined ? {} : { schema: { $ref: `#/components/schemas/${schemaName}` } };
  const json: Json = {
    responses: { '200': { description: 'OK', content: { 'application/json': reference } } },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': gvk,
  };
  if (method !== 'get') json.parameters = PARAMETERS.map((name) => parameter(name, 'query'));
  if (method === 'post' || method === 'put') json.requestBody = { content: { '*/*': reference } };
  if (method === 'patch') {
    const types = patches.map((type) => [type, { schema: { type: 'object' } }] as const);
    json.requestBody = { content: Object.fromEntries(types) };
  }
  return { [method]: json };
}
