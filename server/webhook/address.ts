import type { WebhookSettings } from '@/server/config/webhook';

export interface Listen {
  /** All interfaces, IPv6 too where there is any, when undefined. */
  readonly host: string | undefined;
  /** 0 takes any free one. */
  readonly port: number;
}

/** The API server calls `url` + path, or the Service. `names` are those that the certificate has to be valid for. */
export type ReachableAddress =
  | { readonly kind: 'url'; readonly url: string; readonly names: readonly string[] }
  | {
      readonly kind: 'service';
      readonly namespace: string;
      readonly name: string;
      readonly port: number;
      readonly names: readonly string[];
    };

/** Where the webhook is; the URL is known when it listens. `none`: it cannot be reached, and why, for a person to read. */
export type WebhookPlace =
  | { readonly kind: 'here'; readonly listen: Listen; address(port: number): ReachableAddress }
  | { readonly kind: 'none'; readonly why: string };

/** The cluster, as its credentials say. */
export interface ClusterPlace {
  /** `in-cluster` inside a pod. */
  readonly name: string;
  readonly server: string;
  /** Inside a pod: its namespace. */
  readonly namespace: string;
}

const IN_CLUSTER = 'in-cluster';
const SERVICE_NAME = 'bravo-webhook';
const SERVICE_PORT = 443;
const POD_PORT = 9443;
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Where the API server can reach this process: at the address that the settings give; through the Service when it runs in
 * the cluster; on the loopback interface when the API server is there too (the sandbox). Elsewhere nobody knows.
 */
export function webhookPlace(settings: WebhookSettings, cluster: ClusterPlace): WebhookPlace {
  if (settings.mode === 'off') return { kind: 'none', why: 'it is switched off (BRAVO_WEBHOOK=off)' };
  if (settings.url !== undefined) return atUrl(settings.url, settings.port);
  if (settings.service !== undefined || cluster.name === IN_CLUSTER) return behindService(settings, cluster);
  if (LOOPBACK.has(new URL(cluster.server).hostname)) return onLoopback(settings.port ?? 0);
  const why =
    'the API server is on another machine and no address of this one is known; BRAVO_WEBHOOK_URL gives it, or run the controller in the cluster';
  return { kind: 'none', why };
}

function atUrl(url: string, port: number | undefined): WebhookPlace {
  const { hostname, port: urlPort } = new URL(url);
  const host = LOOPBACK.has(hostname) ? hostname.replace(/[[\]]/g, '') : undefined;
  const names = [hostname.replace(/[[\]]/g, '')];
  const listen = { host, port: port ?? Number(urlPort === '' ? SERVICE_PORT : urlPort) };
  return { kind: 'here', listen, address: () => ({ kind: 'url', url, names }) };
}

function behindService(settings: WebhookSettings, cluster: ClusterPlace): WebhookPlace {
  const { name, namespace = cluster.namespace } = settings.service ?? { name: SERVICE_NAME };
  const host = `${name}.${namespace}`;
  const names = [name, host, `${host}.svc`, `${host}.svc.cluster.local`];
  const address = { kind: 'service', namespace, name, port: SERVICE_PORT, names } as const;
  return { kind: 'here', listen: { host: undefined, port: settings.port ?? POD_PORT }, address: () => address };
}

function onLoopback(port: number): WebhookPlace {
  const names = ['127.0.0.1'];
  return {
    kind: 'here',
    listen: { host: '127.0.0.1', port },
    address: (chosen) => ({ kind: 'url', url: `https://127.0.0.1:${chosen}`, names }),
  };
}
