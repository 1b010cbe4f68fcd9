import type { ResourceInfo } from '../registry/resource-info';
import type { SandboxCore } from './core';
import type { Exchange } from './exchange';
import type { ResourceRequest } from './request-info';

/** Resources that are answered, not stored: reviews, bindings, component statuses. True when this was one. */
export async function serveVirtual(
  _core: SandboxCore,
  _exchange: Exchange,
  _info: ResourceInfo,
  _request: ResourceRequest,
): Promise<boolean> {
  return false;
}
