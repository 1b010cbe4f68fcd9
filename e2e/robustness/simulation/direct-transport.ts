import type { Transport } from '@/server/kube/transport';
import type { Sandbox } from '@/server/sandbox/sandbox';

/** The network without faults, with the rights of an administrator. */
export function directTransport(sandbox: Sandbox): Transport {
  const authorization = `Bearer ${sandbox.adminToken}`;
  return {
    request: (request) => sandbox.inject({ ...request, headers: { ...request.headers, authorization } }),
    openSocket: () => Promise.reject(new Error('The simulator has no sockets.')),
    close: () => Promise.resolve(),
  };
}
