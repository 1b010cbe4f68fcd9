import { HandshakeError, type Transport } from '@/server/kube/transport';
import type { Sandbox } from '@/server/sandbox/sandbox';

/** The network without faults, with the rights of an administrator. */
export function directTransport(sandbox: Sandbox): Transport {
  const authorization = `Bearer ${sandbox.adminToken}`;
  return {
    request: (request) => sandbox.inject({ ...request, headers: { ...request.headers, authorization } }),
    async openSocket({ path, protocols, signal }) {
      const opened = sandbox.injectExec({ path, headers: { authorization }, signal });
      if ('refused' in opened) throw new HandshakeError(opened.refused.status, opened.refused.body);
      return { ...opened, protocol: protocols[0] ?? '' };
    },
    close: () => Promise.resolve(),
  };
}
