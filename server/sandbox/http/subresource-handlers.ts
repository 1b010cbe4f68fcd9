import type { ObjectPlace } from '../registry/registry';
import type { SandboxCore } from './core';
import type { Exchange } from './exchange';
import { serveGet } from './read-handlers';
import { failure, methodNotAllowed, noSuchResource } from './status';
import { serveUpdate, servePatch } from './write-handlers';

/** Answers a request for a subresource. */
export async function serveSubresource(
  core: SandboxCore,
  exchange: Exchange,
  place: ObjectPlace,
  subresource: string,
): Promise<void> {
  const known = place.info.subresources.find((each) => each.name === subresource.split('/')[0]);
  if (known === undefined) throw noSuchResource();
  const { verb } = exchange.info;
  if (!known.verbs.includes(verb)) throw methodNotAllowed();
  switch (subresource) {
    case 'status':
    case 'finalize':
    case 'approval':
    case 'ephemeralcontainers':
    case 'resize':
      if (verb === 'get') return serveGet(core, exchange, place);
      if (verb === 'update') return serveUpdate(core, exchange, place, subresource);
      return servePatch(core, exchange, place, subresource);
    default:
      throw failure(501, 'NotImplemented', `the sandbox does not serve ${place.info.resource}/${subresource}`);
  }
}
