import { TransientError } from '@/lib/errors/errors';
import type { Api, BeforeSend } from './api';

/**
 * The Api of a leader: every write (and exec, and connections to pods) is refused as soon as the lease is lost (docs/faults.md C08). The lease is checked
 * when the write is requested and again before it is sent, because a wait for a busy server may outlast the lease.
 */
export function guardedApi(api: Api, leads: () => boolean): Api {
  const check = (): void => {
    if (!leads()) throw new TransientError('This controller no longer holds the lease.', 'LeaseLost');
  };
  const checked = <Options extends { beforeSend?: BeforeSend | undefined }>(options?: Options) => ({
    ...options,
    beforeSend: () => {
      options?.beforeSend?.();
      check();
    },
  });
  return {
    namespaces: api.namespaces,
    get: (target, options) => api.get(target, options),
    list: (target, options) => api.list(target, options),
    watch: (target, options) => api.watch(target, options),
    discover: (options) => api.discover(options),
    log: (target, options) => api.log(target, options),
    create: async (target, object, options) => {
      check();
      return api.create(target, object, checked(options));
    },
    update: async (target, object, options) => {
      check();
      return api.update(target, object, checked(options));
    },
    patch: async (target, type, patch, options) => {
      check();
      return api.patch(target, type, patch, checked(options));
    },
    delete: async (target, options) => {
      check();
      return api.delete(target, checked(options));
    },
    exec: async (target, options) => {
      check();
      return api.exec(target, options);
    },
    openTerminal: async (target, options) => {
      check();
      return api.openTerminal(target, options);
    },
    probePort: async (target, options) => {
      check();
      return api.probePort(target, options);
    },
    raw: async (request) => {
      if (request.method !== 'GET') check();
      return api.raw(request);
    },
  };
}
