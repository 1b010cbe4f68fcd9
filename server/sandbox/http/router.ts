import { badRequest, failure, methodNotAllowed, methodNotSupported, noSuchResource, notFound } from '../errors/status';
import type { SandboxCore } from '../exchange/core';
import { type Exchange, sendNoPage } from '../exchange/exchange';
import type { ResourceRequest } from '../rbac/request-info';
import { getStored, type ObjectPlace } from '../registry/registry';
import type { ResourceInfo } from '../registry/resource-info';
import { serveAccessReview, serveRulesReview } from '../reviews/access-reviews';
import { serveSelfSubjectReview, serveTokenRequest, serveTokenReview } from '../reviews/token-reviews';
import { requireExec } from './exec-socket';
import { servePatch } from './patch-handler';
import { servePodLog } from './pod-log';
import { servePodProxy } from './pod-proxy';
import { bindPod, evictPod } from './pod-subresources';
import { serveGet, serveList } from './read-handlers';
import { serveScale } from './scale-handlers';
import { serveCreate, serveDelete, serveDeleteCollection, serveUpdate } from './write-handlers';

/** Answers a request for a resource. */
export async function serveResource(core: SandboxCore, exchange: Exchange, request: ResourceRequest): Promise<void> {
  const { table } = core.registry;
  const info = table.get(request.group, request.version, request.resource);
  if (info === undefined) {
    // Custom groups are served by another handler in Kubernetes, which says "404 page not found" for what it does not know.
    if (table.hasBuiltin(request.group, request.version)) throw noSuchResource();
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
  } else if (request.name !== undefined && exchange.info.verb !== 'watch') {
    if (!info.verbs.includes('get')) throw noSuchResource();
    if (!info.verbs.includes(exchange.info.verb)) throw methodNotAllowed();
    await serveObject(core, exchange, placeOf(info, request), undefined);
  } else {
    await serveAll(core, exchange, info, request);
  }
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

/** The object, or a part of it: `status`, `finalize`, `approval`, `ephemeralcontainers`, `resize`. */
function serveObject(
  core: SandboxCore,
  exchange: Exchange,
  place: ObjectPlace,
  subresource: string | undefined,
): Promise<void> {
  switch (exchange.info.verb) {
    case 'get':
      return serveGet(core, exchange, place);
    case 'update':
      return serveUpdate(core, exchange, place, subresource);
    case 'patch':
      return servePatch(core, exchange, place, subresource);
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
  if (!info.verbs.includes(verb)) throw methodNotAllowed();
  const answer = ANSWERED[`${info.group}/${info.resource}`];
  if (answer !== undefined) return answer(core, exchange, info, request);
  switch (verb) {
    case 'list':
    case 'watch':
      return serveList(core, exchange, { info, namespace, name: request.name });
    case 'create':
      return serveCreate(core, exchange, info, namespace);
    case 'deletecollection':
      return serveDeleteCollection(core, exchange, info, namespace);
    default:
      throw methodNotAllowed();
  }
}

/** Answers a request for a subresource. */
async function serveSubresource(
  core: SandboxCore,
  exchange: Exchange,
  place: ObjectPlace,
  subresource: string,
): Promise<void> {
  const { info } = place;
  const known = info.subresources.find((each) => each.name === subresource.split('/')[0]);
  if (known === undefined) throw info.custom === undefined ? noSuchResource() : notFound(info, place.name);
  const { verb } = exchange.info;
  if (!known.verbs.includes(verb)) {
    throw info.custom === undefined ? methodNotAllowed() : methodNotSupported(info, verb);
  }
  switch (known.name) {
    case 'scale':
      return serveScale(core, exchange, place);
    case 'token':
      return serveTokenRequest(core, exchange, place);
    case 'binding':
      return bindPod(core, exchange, place);
    case 'eviction':
      return evictPod(core, exchange, place);
    case 'log':
      return servePodLog(core, exchange, place);
    case 'exec':
    case 'attach':
    case 'portforward':
      requireExec(core, { query: exchange.query, place, verb: known.name });
      throw badRequest('Upgrade request required');
    case 'proxy':
      if (info.kind === 'Pod') return servePodProxy(core, exchange, place);
      getStored(core.registry, place);
      if (info.kind === 'Service') throw notFound(info, place.name);
      throw failure(501, 'NotImplemented', `the sandbox does not serve ${info.resource}/${subresource}`);
    default:
      return serveObject(core, exchange, place, known.name);
  }
}

type Handler = (core: SandboxCore, exchange: Exchange, info: ResourceInfo, request: ResourceRequest) => Promise<void>;

/** Resources that are answered, not stored: reviews and bindings. */
const ANSWERED: { readonly [resource: string]: Handler } = {
  'authorization.k8s.io/selfsubjectaccessreviews': serveAccessReview,
  'authorization.k8s.io/subjectaccessreviews': serveAccessReview,
  'authorization.k8s.io/localsubjectaccessreviews': serveAccessReview,
  'authorization.k8s.io/selfsubjectrulesreviews': serveRulesReview,
  'authentication.k8s.io/selfsubjectreviews': serveSelfSubjectReview,
  'authentication.k8s.io/tokenreviews': serveTokenReview,
  '/bindings': (core, exchange, _info, { namespace }) => bindPod(core, exchange, { namespace, name: undefined }),
};
