import type { ResourceInfo } from '../registry/resource-info';
import { serveAccessReview, serveRulesReview } from '../reviews/access-reviews';
import { serveSelfSubjectReview, serveTokenReview } from '../reviews/token-reviews';
import type { SandboxCore } from './core';
import type { Exchange } from './exchange';
import { sendJson } from './exchange';
import { negotiate } from './negotiation';
import { bindPod } from './pod-subresources';
import type { ResourceRequest } from './request-info';
import { methodNotAllowed, noSuchResource } from './status';

/** Resources that are answered, not stored: reviews, bindings, component statuses. True when this was one. */
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
  '/componentstatuses': serveComponentStatuses,
};

async function serveComponentStatuses(
  _core: SandboxCore,
  exchange: Exchange,
  _info: ResourceInfo,
  request: ResourceRequest,
): Promise<void> {
  const accepted = negotiate(exchange.request);
  exchange.warnings.push('v1 ComponentStatus is deprecated in v1.19+');
  const item = (name: string): object => ({
    metadata: { name },
    conditions: [{ type: 'Healthy', status: 'True', message: 'ok' }],
  });
  const names = ['controller-manager', 'scheduler', 'etcd-0'];
  if (request.name !== undefined) {
    if (!names.includes(request.name)) throw noSuchResource();
    sendJson(
      exchange,
      200,
      JSON.stringify({ kind: 'ComponentStatus', apiVersion: 'v1', ...item(request.name) }),
      accepted,
    );
    return;
  }
  const list = { kind: 'ComponentStatusList', apiVersion: 'v1', metadata: {}, items: names.map(item) };
  sendJson(exchange, 200, JSON.stringify(list), accepted);
}
