import { methodNotAllowed, noSuchResource } from '../errors/status';
import type { SandboxCore } from '../exchange/core';
import type { Exchange } from '../exchange/exchange';
import type { ResourceRequest } from '../rbac/request-info';
import type { ResourceInfo } from '../registry/resource-info';
import { serveAccessReview, serveRulesReview } from '../reviews/access-reviews';
import { serveSelfSubjectReview, serveTokenReview } from '../reviews/token-reviews';
import { bindPod } from './pod-subresources';

/** Resources that are answered, not stored: reviews and bindings. True when this was one. */
export async function serveVirtual(
  core: SandboxCore,
  exchange: Exchange,
  info: ResourceInfo,
  request: ResourceRequest,
): Promise<boolean> {
  const serve = handlers[`${info.group}/${info.resource}`];
  if (serve === undefined) return false;
  if (request.name !== undefined && !info.verbs.includes('get')) throw noSuchResource();
  if (!info.verbs.includes(exchange.info.verb)) throw methodNotAllowed();
  await serve(core, exchange, info, request);
  return true;
}

type Handler = (core: SandboxCore, exchange: Exchange, info: ResourceInfo, request: ResourceRequest) => Promise<void>;

const handlers: { readonly [resource: string]: Handler } = {
  'authorization.k8s.io/selfsubjectaccessreviews': serveAccessReview,
  'authorization.k8s.io/subjectaccessreviews': serveAccessReview,
  'authorization.k8s.io/localsubjectaccessreviews': serveAccessReview,
  'authorization.k8s.io/selfsubjectrulesreviews': serveRulesReview,
  'authentication.k8s.io/selfsubjectreviews': serveSelfSubjectReview,
  'authentication.k8s.io/tokenreviews': serveTokenReview,
  '/bindings': (core, exchange, info, request) => bindPod(core, exchange, info, request.namespace, undefined),
};
