import type { LiveHub } from '@/server/live/hub';
import { rowOrder } from '@/server/live/row-object';
import { Rights } from '@/server/rights/rights';
import { type OpenHubOptions, openHub } from './open-hub';

/** What each person may read of the hub. No request is sent until somebody but the kubeconfig's user reads a topic. */
export function openRights({ hub, ...options }: OpenHubOptions & { readonly hub: LiveHub }): Rights {
  const { api, clock, random } = options;
  return new Rights({
    api,
    hub,
    clock,
    random,
    order: rowOrder,
    openHub: (personal) => openHub({ ...options, api: personal }),
  });
}
