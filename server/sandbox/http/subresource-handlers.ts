import { badRequest, failure, methodNotAllowed, methodNotSupported, noSuchResource, notFound } from '../errors/status';
import type { SandboxCore } from '../exchange/core';
import type { Exchange } from '../exchange/exchange';
import { getStored, type ObjectPlace } from '../registry/registry';
import { serveTokenRequest } from '../reviews/token-reviews';
import { requireExec } from './exec-socket';
import { servePodLog } from './pod-log';
import { bindPod, evictPod } from './pod-subresources';
import { serveGet } from './read-handlers';
import { serveScale } from './scale-handlers';
import { servePatch, serveUpdate } from './write-handlers';

/** Answers a request for a subresource. */
export async function serveSubresource(
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
      return bindPod(core, exchange, info, place.namespace, place.name);
    case 'eviction':
      return evictPod(core, exchange, place);
    case 'log':
      return servePodLog(core, exchange, place);
    case 'exec':
    case 'attach':
    case 'portforward':
      requireExec(core, exchange.query, place, known.name);
      throw badRequest('Upgrade request required');
    case 'proxy':
      getStored(core.registry, place);
      if (info.kind === 'Service') throw notFound(info, place.name);
      throw failure(501, 'NotImplemented', `the sandbox does not serve ${info.resource}/${subresource}`);
    default:
      return serveStored(core, exchange, place, known.name);
  }
}

/** Subresources that are a part of the object: `status`, `finalize`, `approval`, `ephemeralcontainers`, `resize`. */
async function serveStored(
  core: SandboxCore,
  exchange: Exchange,
  place: ObjectPlace,
  subresource: string,
): Promise<void> {
  switch (exchange.info.verb) {
    case 'get':
      return serveGet(core, exchange, place);
    case 'update':
      return serveUpdate(core, exchange, place, subresource);
    default:
      return servePatch(core, exchange, place, subresource);
  }
}
