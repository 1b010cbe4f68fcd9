import { methodNotAllowed, methodNotSupported, noSuchResource } from '../errors/status';
import type { SandboxCore } from '../exchange/core';
import type { Exchange } from '../exchange/exchange';
import { sendNoPage } from '../exchange/exchange';
import type { ResourceRequest } from '../rbac/request-info';
import type { ObjectPlace } from '../registry/registry';
import type { ResourceInfo } from '../registry/resource-info';
import { serveGet, serveList } from './read-handlers';
import { serveSubresource } from './subresource-handlers';
import { serveVirtual } from './virtual-resources';
import { serveCreate, serveDelete, serveDeleteCollection, servePatch, serveUpdate } from './write-handlers';

/** Answers a request for a resource. */
export async function serveResource(core: SandboxCore, exchange: Exchange, request: ResourceRequest): Promise<void> {
  const { table } = core.registry;
  const info = table.get(request.group, request.version, request.resource);
  if (info === undefined) {
    if (table.hasGroupVersion(request.group, request.version) && isBuiltinVersion(core, request))
      throw noSuchResource();
    sendNoPage(exchange);
    return;
  }
  if (info.custom?.deprecation !== undefined) exchange.warnings.push(info.custom.deprecation);
  if (info.group === '' && info.resource === 'endpoints') {
    exchange.warnings.push('v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice');
  }
  checkShape(info, request, exchange.request.method ?? 'GET');
  if (request.subresource !== undefined && request.name !== undefined) {
    await serveSubresource(core, exchange, placeOf(info, request), request.subresource);
  } else if (await serveVirtual(core, exchange, info, request)) {
    return;
  } else if (request.name !== undefined && exchange.info.verb !== 'watch') {
    await serveNamed(core, exchange, placeOf(info, request));
  } else {
    await serveAll(core, exchange, info, request);
  }
}

/** Custom groups are served by another handler in Kubernetes, which says "404 page not found" for what it does not know. */
function isBuiltinVersion(core: SandboxCore, { group, version }: ResourceRequest): boolean {
  return core.registry.table
    .all()
    .some((info) => info.group === group && info.version === version && info.custom === undefined);
}

function placeOf(info: ResourceInfo, { namespace, name }: ResourceRequest): ObjectPlace {
  return { info, namespace: info.namespaced ? namespace : undefined, name: name ?? '' };
}

/** 404 or 405 for paths that no resource has: a name without its namespace, or a namespace before a cluster-scoped name. */
function checkShape(info: ResourceInfo, request: ResourceRequest, method: string): void {
  if (request.malformed) throw noSuchResource();
  const isNamespaceItself = info.group === '' && info.resource === 'namespaces';
  if (method === 'HEAD' || method === 'OPTIONS') throw methodNotAllowed();
  if (info.namespaced && request.namespace === undefined) {
    if (request.name !== undefined) throw noSuchResource();
    if (method !== 'GET') throw methodNotAllowed();
  }
  if (!info.namespaced && request.namespace !== undefined && !isNamespaceItself) throw noSuchResource();
}

async function serveNamed(core: SandboxCore, exchange: Exchange, place: ObjectPlace): Promise<void> {
  const { verb } = exchange.info;
  if (!place.info.verbs.includes(verb)) {
    if (!place.info.verbs.includes('get')) throw noSuchResource();
    throw methodNotAllowed();
  }
  switch (verb) {
    case 'get':
      return serveGet(core, exchange, place);
    case 'update':
      return serveUpdate(core, exchange, place, undefined);
    case 'patch':
      return servePatch(core, exchange, place, undefined);
    case 'delete':
      return serveDelete(core, exchange, place);
    default:
      throw methodNotAllowed();
  }
}

async function serveAll(
  core: SandboxCore,
  exchange: Exchange,
  info: ResourceInfo,
  request: ResourceRequest,
): Promise<void> {
  const { verb } = exchange.info;
  const namespace = info.namespaced ? request.namespace : undefined;
  if (!info.verbs.includes(verb)) {
    if (info.verbs.length > 0) throw methodNotAllowed();
    throw methodNotSupported(info, verb);
  }
  switch (verb) {
    case 'list':
    case 'watch':
      return serveList(core, exchange, info, namespace, request.name);
    case 'create':
      return serveCreate(core, exchange, info, namespace);
    case 'deletecollection':
      return serveDeleteCollection(core, exchange, info, namespace);
    default:
      throw methodNotAllowed();
  }
}
